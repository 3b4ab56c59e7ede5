// The front door of loopx-obelisk: named exports only.
export {};
