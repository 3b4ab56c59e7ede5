/** The names of the source adapters, apart from what they load: most commands only have to know which there are. */
export const SOURCE_ADAPTER_NAMES: readonly string[] = ["local-file", "runtime-context"];
