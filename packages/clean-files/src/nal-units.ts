// Videos have room for notes of any program among their pictures, such as the place of a dashcam or the settings of the encoder.
// In H.264 and H.265, units with such notes become filler, which decoders skip; in MPEG-4, notes become spaces.

export interface NalFormat {
  readonly codec: 'avc' | 'hevc' | 'mpeg4';
  /** Each unit has its length in front, in so many bytes. MPEG-4 has marks instead. */
  readonly lengthBytes: number;
}

/** The types of units in which information for decoders and programs stands, and that of filler. */
const unitTypes = { avc: { information: [6], filler: 12 }, hevc: { information: [39, 40], filler: 38 } };
/** The type of a message in such a unit: anything, behind an identifier of the program. */
const userData = 5;

/** In place, in one sample. */
export function blankUserData(sample: Buffer, { codec, lengthBytes }: NalFormat): void {
  if (codec === 'mpeg4') {
    blankMpeg4UserData(sample, (start) => sample.indexOf(mark, start));
    return;
  }
  for (let at = 0; at + lengthBytes < sample.length; ) {
    const start = at + lengthBytes;
    const end = start + sample.readUIntBE(at, lengthBytes);
    blankUnit(sample.subarray(start, end), codec);
    at = end;
  }
}

/** In place, in the settings of a decoder (`hvcC`), which have units too. */
export function blankUserDataInHevcSettings(settings: Buffer): void {
  let at = 23;
  for (let lists = settings[22] ?? 0; lists > 0 && at + 3 <= settings.length; lists--) {
    let units = settings.readUInt16BE(at + 1);
    at += 3;
    for (; units > 0 && at + 2 <= settings.length; units--) {
      const end = at + 2 + settings.readUInt16BE(at);
      blankUnit(settings.subarray(at + 2, end), 'hevc');
      at = end;
    }
  }
}

const mark = Buffer.from([0, 0, 1]);
const mpeg4UserData = Buffer.from([...mark, 0xb2]);

function blankMpeg4UserData(bytes: Buffer, findEnd: (start: number) => number): void {
  for (let at = bytes.indexOf(mpeg4UserData); at >= 0; at = bytes.indexOf(mpeg4UserData, at + 4)) {
    const end = findEnd(at + 4);
    bytes.fill(' ', at + 4, end < 0 ? bytes.length : end);
  }
}

/** In place, in the settings of a decoder of MPEG-4 (`esds`): other settings follow the text. */
export const blankUserDataInMpeg4Settings = (settings: Buffer): void =>
  blankMpeg4UserData(settings, (start) => settings.findIndex((byte, at) => at >= start && byte < 0x20));

/** In place: an encoder of AAC writes its name into the first sample, where decoders take it for filler. */
export function blankEncoderNames(bytes: Buffer): void {
  for (let at = bytes.indexOf('Lavc'); at >= 0; at = bytes.indexOf('Lavc', at + 4)) {
    const [name] = /^Lavc\d+\.\d+\.\d+/.exec(bytes.toString('latin1', at, at + 24)) ?? [];
    if (name) bytes.fill(0, at, at + name.length);
  }
}

function blankUnit(unit: Buffer, codec: 'avc' | 'hevc'): void {
  const { information, filler } = unitTypes[codec];
  const [first = 0] = unit;
  const type = codec === 'avc' ? first & 31 : (first >> 1) & 63;
  const headerLength = codec === 'avc' ? 1 : 2;
  if (!information.includes(type) || !hasUserData(unit.subarray(headerLength))) return;
  unit[0] = codec === 'avc' ? filler : (first & 0x81) | (filler << 1);
  unit.fill(0xff, headerLength);
  unit[unit.length - 1] = 0x80;
}

/** Messages one after another: type and length, each in bytes of which 255 stands for more, and the content. */
function hasUserData(messages: Buffer): boolean {
  // A 3 behind two zeros is no content: it keeps the start of a unit from appearing within.
  let [at, zeros] = [0, 0];
  const next = () => {
    if (zeros >= 2 && messages[at] === 3) [at, zeros] = [at + 1, 0];
    const byte = messages[at++] ?? 0;
    zeros = byte === 0 ? zeros + 1 : 0;
    return byte;
  };
  const nextNumber = () => {
    let sum = 0;
    let byte = 255;
    while (byte === 255 && at < messages.length) {
      byte = next();
      sum += byte;
    }
    return sum;
  };
  // The last byte only ends the unit.
  while (at < messages.length - 1) {
    const type = nextNumber();
    if (type === userData) return true;
    for (let left = nextNumber(); left > 0 && at < messages.length; left--) next();
  }
  return false;
}
