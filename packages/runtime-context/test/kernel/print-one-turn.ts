import { decideOneTurn } from "./decide-one-turn.ts";

process.stdout.write(decideOneTurn());
