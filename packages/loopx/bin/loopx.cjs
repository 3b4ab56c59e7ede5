#!/usr/bin/env node
// oxlint-disable-next-line import/no-unassigned-import -- the bundle is the program
require("../dist/main.cjs");
