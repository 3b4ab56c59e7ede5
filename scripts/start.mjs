// `npm start`: installs and builds when needed, then shows the main job on a throwaway repository.
import { prepareCheckout } from "./prepare-checkout.mjs";

prepareCheckout();
const { runDemo } = await import("./demo.mjs");
process.exitCode = await runDemo();
