// The comments of Vorbis, Opus and Theora: the name of a program, and texts such as the artist.

const signatures = ['\x81theora', '\x03vorbis', 'OpusTags'];

/** In place: no program and no comments, and zeros to the end. False if these bytes are no comments. */
export function blankComments(packet: Buffer): boolean {
  const head = packet.toString('latin1', 0, 8);
  const signature = signatures.find((text) => head.startsWith(text));
  if (signature === undefined) return false;
  packet.fill(0, signature.length);
  // Two empty lengths, and in Vorbis a bit that is set.
  if (signature === '\x03vorbis' && packet.length > 15) packet[15] = 1;
  return packet.length >= signature.length + 8;
}
