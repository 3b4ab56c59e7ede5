// The front door of @loopx/extensions: named exports only.
export {};
