// Positions in a list, as texts that clients send back.

import { createHmac } from 'node:crypto';
import { NotFound } from '../../common/src/errors.ts';

/** Signs cursors for one listing, so that an altered cursor or one of another listing is rejected. */
export class CursorCodec<Position> {
  constructor(
    private readonly secret: string,
    private readonly scope: string,
  ) {}

  encode(backwards: boolean, position: Position): string {
    const content = Buffer.from(JSON.stringify([backwards ? 1 : 0, position])).toString('base64url');
    return `${content}.${this.#sign(content)}`;
  }

  decode(cursor: string): { backwards: boolean; position: Position } {
    const [content = '', signature, ...rest] = cursor.split('.');
    if (rest.length || signature !== this.#sign(content)) throw new NotFound('Invalid cursor');
    const [direction, position] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [
      number,
      Position,
    ];
    return { backwards: direction === 1, position };
  }

  #sign(content: string): string {
    return createHmac('sha256', this.secret)
      .update(`${this.scope}\n${content}`)
      .digest('base64url')
      .slice(0, 22);
  }
}
