import type { ReactNode } from "react";
import { ErrorState } from "../../components/error-state.tsx";
import { Time } from "../../components/time.tsx";
import type { RequestFault } from "../../http/request.ts";
import { sayActor } from "../say-actor.ts";

/** Why a change was refused. Where somebody was quicker: who, and what they did. */
export function ChangeFault({ fault }: { readonly fault: RequestFault }): ReactNode {
  const { details } = fault.fault;
  const by = details?.["by"];
  const at = details?.["at"];
  const what = details?.["decision"] ?? details?.["type"];
  if (typeof by !== "string" || typeof at !== "string" || typeof what !== "string") return <ErrorState fault={fault} />;
  return (
    <div className="fault" role="alert">
      <p>
        <strong>Somebody was quicker.</strong> It was {what.replace(/\.v\d+$/, "").replaceAll("_", " ")} by{" "}
        {sayActor(by)}, <Time at={at} />. Nothing was changed by you.
      </p>
      <p>Close this and look at it as it is now.</p>
    </div>
  );
}
