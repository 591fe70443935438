/** A file that a client has sent. It stays on the disk until the request is over, and its parts are read from there. */
export class StoredFile {
  constructor(
    readonly name: string,
    readonly size: number,
    readonly read: (start: number, end: number) => Promise<Buffer>,
  ) {}
}
