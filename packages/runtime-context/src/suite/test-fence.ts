import { sha256Hex, type Fence } from "@loopx/contracts";

/** The fence of every test: always the same, so that texts can be compared. Nobody is shown them as instructions. */
export const TEST_FENCE: Fence = { nonceOf: (draw) => sha256Hex(`loopx context test\n${draw}`).slice(0, 18) };
