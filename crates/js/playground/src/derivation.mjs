// Derivations by the productions of the specification, which only the engine of the playground has.
import { call } from "#loader";

export const derivation = (name, text) => call((engine) => engine.derivation(name, text));
