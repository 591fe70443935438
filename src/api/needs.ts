import { type Act, demandEver } from '../gallery/permissions.ts';
import type { Reader } from '../gallery/readers.ts';

/** The permission of an operation, from the table of who may do what. */
export const needs = (act: Act) => (reader: Reader) => demandEver(reader, act);
