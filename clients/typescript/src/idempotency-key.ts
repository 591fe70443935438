/** `crypto.randomUUID` does not exist in pages that come by http. */
export const createIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

export interface IdempotencyOptions {
  /** Random by default. Choose it if the program may stop and send the same request again later. */
  readonly idempotencyKey?: string;
}
