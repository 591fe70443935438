// Positions in a list, as texts that clients send back.

import { NotFound } from '../../common/src/errors.ts';
import { type Secret, signaturesOf } from '../../common/src/signature.ts';

const signatureLength = 22;

/** Signs cursors for one listing, so that an altered cursor or one of another listing is rejected. */
export class CursorCodec<Position> {
  constructor(
    private readonly secret: Secret,
    private readonly scope: string,
  ) {}

  encode(backwards: boolean, position: Position): string {
    const content = Buffer.from(JSON.stringify([backwards ? 1 : 0, position])).toString('base64url');
    return `${content}.${this.#signaturesOf(content)[0]}`;
  }

  decode(cursor: string): { backwards: boolean; position: Position } {
    const [content = '', signature = '', ...rest] = cursor.split('.');
    if (rest.length || !this.#signaturesOf(content).includes(signature)) throw new NotFound('Invalid cursor');
    const [direction, position] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [
      number,
      Position,
    ];
    return { backwards: direction === 1, position };
  }

  #signaturesOf(content: string): string[] {
    const signatures = signaturesOf(this.secret, this.scope, content);
    return signatures.map((signature) => signature.slice(0, signatureLength));
  }
}
