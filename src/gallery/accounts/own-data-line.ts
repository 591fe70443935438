import { defineLine } from '../line-format.ts';
import { id } from '../line-members.ts';

/** The first line of a person's own data, which `vitrine import` refuses: it is not the dump of a gallery. */
export const ownDataLine = defineLine('own-data', { contributor: id });
