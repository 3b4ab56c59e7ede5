#!/usr/bin/env node
// oxlint-disable-next-line import/no-unassigned-import -- the bundle is the program
import "../dist/main.js";
