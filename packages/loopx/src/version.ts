/** Put in by the bundler. */
declare const LOOPX_VERSION: string;

export const VERSION: string = LOOPX_VERSION;
