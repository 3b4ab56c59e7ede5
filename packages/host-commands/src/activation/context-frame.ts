/**
 * A context turn's text between two lines that carry its trace id: made for this turn alone and told to no provider, so no
 * content knows how to end the frame.
 */
export function renderContextFrame(traceId: string, rendered: string): string {
  return `===== context ${traceId} =====\n${rendered.trimEnd()}\n===== end of context ${traceId} =====`;
}
