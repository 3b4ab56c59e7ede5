/** One thing that was looked at. `unknown`: it could not be looked at, which is no pass. */
export interface DoctorCheck {
  readonly name: string;
  readonly state: "ok" | "warning" | "failed" | "unknown";
  readonly found: string;
  /** What mends it, a command where there is one. */
  readonly remedy?: string;
  /** What also mends it, at another price. */
  readonly alternative?: string;
}
