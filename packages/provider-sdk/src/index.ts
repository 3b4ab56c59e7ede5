// The front door of @loopx/provider-sdk: named exports only.
export {};
