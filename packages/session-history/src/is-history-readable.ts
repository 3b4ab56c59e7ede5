import { access, constants } from "node:fs/promises";
import { SESSION_HOSTS } from "./hosts/session-host.ts";
import { isMissing, listHistoryRoots } from "./transcripts/find-transcripts.ts";

/** Whether every history that there is can be read. One that isn't there yet is no fault: a host makes it when it is used. */
export async function isHistoryReadable(environment: NodeJS.ProcessEnv): Promise<boolean> {
  const roots = SESSION_HOSTS.flatMap((host) => listHistoryRoots(host, environment));
  const verdicts = await Promise.all(roots.map(isReadable));
  return !verdicts.includes(false);
}

async function isReadable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch (error) {
    return isMissing(error);
  }
}
