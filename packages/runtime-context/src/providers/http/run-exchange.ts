import type { Dispatcher } from "undici";
import type { Deadline } from "../deadline.ts";
import { exceedLimit, refuseAnswer, type ProviderFault } from "../provider-fault.ts";
import { createBodyBuffer } from "./body-buffer.ts";
import type { Connection, ConnectionPool, PooledRequest } from "./connection-pool.ts";
import { findContentLength, findHeadFault, type ResponseRules } from "./response-rules.ts";
import type { BrokenExchange } from "./transport-fault.ts";

export interface AnsweredExchange {
  readonly kind: "answered";
  readonly httpStatus: number;
  readonly body: Buffer;
}

/** What came of one request. */
export type Exchange =
  | AnsweredExchange
  | { readonly kind: "refused"; readonly fault: ProviderFault }
  | ({ readonly kind: "broken"; readonly isReused: boolean } & BrokenExchange);

/** RFC 8297 early hints are legal and tell us nothing. */
const EARLY_HINTS = 103;
const MAX_INFORMATIONAL = 3;

/** Sends one request and takes at most one bounded response. Whatever ends it early closes the socket. */
export function runExchange(
  pool: ConnectionPool,
  request: Omit<PooledRequest, "onAssigned">,
  rules: ResponseRules,
  deadline: Deadline,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let connection: Connection | undefined;
    let isReused = false;
    let abort: ((error: Error) => void) | undefined;
    let isOver = false;
    const end = (exchange: Exchange): void => {
      if (isOver) return;
      isOver = true;
      stopClock();
      resolve(exchange);
    };
    const refuse = (fault: ProviderFault): void => {
      end({ kind: "refused", fault });
      abort?.(new Error("refused"));
    };
    const stopClock = deadline.onPassed(() => {
      refuse(deadline.fault);
      if (abort === undefined) connection?.cancelConnect();
    });
    const onAssigned = (assigned: Connection): void => {
      connection = assigned;
    };
    const handler = createHandler(rules, {
      onSent(abortRequest) {
        abort = abortRequest;
        isReused = (connection?.answeredCount ?? 0) > 0;
        // The deadline may have passed while the request waited for its connection.
        if (isOver) abortRequest(new Error("late"));
      },
      onAnswered(httpStatus, body) {
        if (connection !== undefined) connection.answeredCount += 1;
        end({ kind: "answered", httpStatus, body });
      },
      onRefused: refuse,
      onBroken: (broken) => end({ kind: "broken", isReused, ...broken }),
    });
    pool.dispatch({ ...request, onAssigned }, handler);
  });
}

interface ExchangeEvents {
  onSent(abort: (error: Error) => void): void;
  onAnswered(httpStatus: number, body: Buffer): void;
  onRefused(fault: ProviderFault): void;
  onBroken(broken: BrokenExchange): void;
}

/** Undici's raw callbacks: they show every header as it came, and cost least. */
function createHandler(rules: ResponseRules, events: ExchangeEvents): Dispatcher.DispatchHandler {
  const body = createBodyBuffer(rules.maxBytes);
  let hasStarted = false;
  let httpStatus = 0;
  let informationalCount = 0;
  const findInformationalFault = (status: number): ProviderFault | undefined => {
    informationalCount += 1;
    const isAllowed = status === EARLY_HINTS && informationalCount <= MAX_INFORMATIONAL;
    return isAllowed ? undefined : refuseAnswer("INFORMATIONAL");
  };
  return {
    onConnect: (abort) => events.onSent(abort),
    onResponseStarted() {
      hasStarted = true;
    },
    onHeaders(status, headers) {
      httpStatus = status;
      const fault = status < 200 ? findInformationalFault(status) : findHeadFault(status, headers, rules);
      if (fault !== undefined) events.onRefused(fault);
      else if (status >= 200) body.reserve(findContentLength(headers));
      return true;
    },
    onData(chunk) {
      if (!body.add(chunk)) events.onRefused(exceedLimit("RESPONSE_BYTES"));
      return true;
    },
    onComplete: () => events.onAnswered(httpStatus, body.toBytes()),
    onError: (error) => events.onBroken({ error, hasStarted }),
  };
}
