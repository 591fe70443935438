// Writes a PDF anew with what its pages show: the keys of this list, and pictures without their metadata. Nothing of an earlier
// version is left in it.

import { inflateSync } from 'node:zlib';
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib';
import { InvalidFile } from './invalid-file.ts';
import { isTooLarge, maxObjectBytes } from './pdf-size.ts';
import { cleanPicture } from './picture.ts';

const names = (text: string) => new Set(text.trim().split(/\s+/));

/** All keys that dictionaries of a PDF may have. Anything else goes: metadata, actions, scripts, attached files, places of maps. */
const keptKeys = names(`
  Type Subtype Filter DecodeParms DL
  Pages Dests Outlines PageLabels PageMode PageLayout ViewerPreferences MarkInfo Lang OCProperties AcroForm StructTreeRoot
  Kids Parent Count Limits Nums Names
  Resources MediaBox CropBox BleedBox TrimBox ArtBox Rotate Contents Group Annots UserUnit Tabs StructParents StructParent
  XObject Font ExtGState ColorSpace Pattern Shading Properties ProcSet
  Title First Last Next Prev Dest D SE C F Flags S St P
  A URI
  Rect Border BS BE AP AS N R MK H CA ca QuadPoints Vertices InkList L LE IC Open Name DA DS RC Q Dash W CL RD RT IRT Popup
  Fields FT T TU TM V DV Ff MaxLen Opt TI I NeedAppearances DR BC BG IF SW FB
  Width Height BitsPerComponent ImageMask Mask SMask Decode Interpolate Intent Matte SMaskInData Alternates
  Predictor Colors Columns EarlyChange K Rows EndOfLine EncodedByteAlign EndOfBlock BlackIs1 DamagedRowsBeforeError
  ColorTransform JBIG2Globals
  BBox Matrix FormType Domain Range Size BitsPerSample Encode Order Functions Bounds C0 C1 FunctionType ShadingType Coords
  Extend Function Background AntiAlias BitsPerCoordinate BitsPerFlag VerticesPerRow
  PatternType PaintType TilingType XStep YStep
  BaseFont FirstChar LastChar Widths FontDescriptor Encoding ToUnicode DescendantFonts CIDSystemInfo Registry Ordering
  Supplement DW W2 DW2 CIDToGIDMap FontName FontFamily FontStretch FontWeight FontBBox ItalicAngle Ascent Descent Leading
  CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth FontFile FontFile2 FontFile3 CharSet CIDSet Style BaseEncoding
  Differences CharProcs FontMatrix Length1 Length2 Length3 WMode UseCMap CMapName
  Alternate WhitePoint BlackPoint Gamma Colorants Process MixingHints DotGain Components Solidities PrintingOrder
  LW LC LJ ML D RI OP op OPM BG BG2 UCR UCR2 TR TR2 HT FL SM SA BM AIS TK G TransferFunction
  HalftoneType Frequency Angle SpotFunction AccurateScreens CS I K
  Marked Suspects UserProperties RoleMap ClassMap ParentTree ParentTreeNextKey IDTree Pg Alt ActualText E Obj MCID Stm StmOwn
  O Placement WritingMode BackgroundColor BorderColor BorderStyle BorderThickness Padding Color SpaceBefore SpaceAfter
  StartIndent EndIndent TextIndent TextAlign BlockAlign InlineAlign TBorderStyle TPadding LineHeight TextDecorationType
  RowSpan ColSpan Headers Scope Summary ListNumbering Attestation
  OCGs OCMD BaseState ON OFF AS RBGroups Locked ListMode Usage Event Category View ViewState Print PrintState Export
  ExportState VE
  HideToolbar HideMenubar HideWindowUI FitWindow CenterWindow DisplayDocTitle NonFullScreenPageMode Direction PrintScaling
  Duplex NumCopies
  AC RV CI
`);
/** Dictionaries in which anything may be a key. */
const freeKeys = names(`
  XObject Font ExtGState ColorSpace Pattern Shading Properties CharProcs N D R RoleMap ClassMap Dests Colorants Solidities
`);
/** Not in those either. */
const neverKept = names('Creator Metadata PieceInfo');
const keptActions = ['GoTo', 'URI'];
/** Of notes on a page: `T` is their author. */
const forms = 'Widget';
const removedNotes = names('FileAttachment RichMedia Screen Movie Sound 3D');

const key = (name: string) => PDFName.of(name);
const nameIn = (dictionary: PDFDict, name: string) => {
  const value = dictionary.lookup(key(name));
  return value instanceof PDFName ? value.decodeText() : undefined;
};

export async function cleanPdf(bytes: Uint8Array): Promise<Buffer> {
  const document = await openPdf(bytes);
  const { context } = document;
  const { Root } = context.trailerInfo;
  Object.assign(context.trailerInfo, { Info: undefined, ID: undefined, Encrypt: undefined });
  const catalog = context.lookup(Root);
  if (!(catalog instanceof PDFDict)) throw new InvalidFile('brokenPdf');
  keepNamedPlaces(catalog);
  const inflate = createInflater();
  const used = new Set<PDFObject>();
  const pending: [object: PDFObject | undefined, hasFreeKeys: boolean][] = [[Root, false]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [object, hasFreeKeys] = next;
    if (!object || used.has(object)) continue;
    used.add(object);
    if (object instanceof PDFRef) {
      const target = context.lookup(object);
      if (target instanceof PDFRawStream) context.assign(object, cleanStream(target, inflate));
      pending.push([context.lookup(object), hasFreeKeys]);
    } else if (object instanceof PDFStream) pending.push([object.dict, false]);
    else if (object instanceof PDFArray) {
      removeNotes(object);
      for (const value of object.asArray()) pending.push([value, false]);
    } else if (object instanceof PDFDict) {
      if (hasFreeKeys) for (const name of neverKept) object.delete(key(name));
      else cleanDictionary(object);
      for (const [name, value] of object.entries())
        pending.push([value, !hasFreeKeys && freeKeys.has(name.decodeText())]);
    }
  }
  // Earlier versions leave objects that nothing refers to any more, such as the author of that time.
  let largest = 0;
  for (const [reference] of context.enumerateIndirectObjects())
    if (used.has(reference)) largest = Math.max(largest, reference.objectNumber);
    else context.delete(reference);
  // So a file that was cleaned before stays as it is.
  context.largestObjectNumber = largest;
  return Buffer.from(await document.save({ updateFieldAppearances: false, addDefaultPage: false }));
}

/** Of all names of a document, only those of places in it: the others are scripts and attached files. */
function keepNamedPlaces(catalog: PDFDict): void {
  const all = catalog.lookup(key('Names'));
  if (!(all instanceof PDFDict)) return;
  for (const name of all.keys()) if (name.decodeText() !== 'Dests') all.delete(name);
}

function cleanDictionary(dictionary: PDFDict): void {
  for (const name of dictionary.keys()) if (!keptKeys.has(name.decodeText())) dictionary.delete(name);
  const action = dictionary.lookup(key('A'));
  if (action instanceof PDFDict && !keptActions.includes(nameIn(action, 'S') ?? ''))
    dictionary.delete(key('A'));
  // A note on a page has a rectangle and an author; a field of a form has a name.
  if (dictionary.has(key('Rect')) && nameIn(dictionary, 'Subtype') !== forms) dictionary.delete(key('T'));
}

/** Notes that are files. */
function removeNotes(array: PDFArray): void {
  for (let index = array.size() - 1; index >= 0; index--) {
    const value = array.lookup(index);
    if (
      value instanceof PDFDict &&
      value.has(key('Rect')) &&
      removedNotes.has(nameIn(value, 'Subtype') ?? '')
    )
      array.remove(index);
  }
}

/** Pictures lose their metadata as in other documents. */
function cleanStream(stream: PDFRawStream, inflate: (bytes: Buffer) => Buffer): PDFRawStream {
  const { dict } = stream;
  const filter = dict.lookup(key('Filter'));
  const filters = (filter instanceof PDFArray ? filter.asArray() : [filter]).map((each) => {
    const name = each instanceof PDFRef ? dict.context.lookup(each) : each;
    return name instanceof PDFName ? name.decodeText() : '';
  });
  const at = filters.findIndex((name) => name === 'DCTDecode' || name === 'DCT' || name === 'JPXDecode');
  if (at < 0) return stream;
  let contents: Buffer = Buffer.from(stream.contents);
  if (at > 0) {
    if (filters[0] !== 'FlateDecode' || at !== 1) throw new InvalidFile('unknownPart');
    contents = inflate(contents);
    dict.set(key('Filter'), key(filters[at] ?? ''));
    dict.delete(key('DecodeParms'));
  }
  const cleaned = filters[at] === 'JPXDecode' ? cleanJpeg2000(contents) : cleanPicture(contents);
  if (!cleaned) throw new InvalidFile('unknownPart');
  // A part of a buffer would keep all of it in memory.
  return PDFRawStream.of(dict, Buffer.from(cleaned));
}

/** Decompresses pictures, which together become no larger than the objects of a document may. */
function createInflater(): (bytes: Buffer) => Buffer {
  let remaining = maxObjectBytes;
  return (bytes) => {
    try {
      const contents = inflateSync(bytes, { maxOutputLength: Math.max(1, remaining) });
      remaining -= contents.length;
      return contents;
    } catch {
      throw new InvalidFile('brokenPdf');
    }
  };
}

const jpeg2000Boxes = ['jP  ', 'ftyp', 'jp2h', 'jp2c'];

/** Its boxes have a length and a type in front. The picture itself may stand there without any. */
function cleanJpeg2000(bytes: Buffer): Buffer | undefined {
  if (bytes.length > 4 && bytes.readUInt32BE(0) === 0xff4fff51) return bytes;
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at) || bytes.length - at;
    if (length < 8) return undefined;
    if (jpeg2000Boxes.includes(bytes.toString('latin1', at + 4, at + 8)))
      parts.push(bytes.subarray(at, at + length));
    at += length;
  }
  return Buffer.concat(parts);
}

async function openPdf(bytes: Uint8Array): Promise<PDFDocument> {
  if (isTooLarge(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)))
    throw new InvalidFile('brokenPdf');
  let document: PDFDocument;
  try {
    document = await PDFDocument.load(bytes, { updateMetadata: false, ignoreEncryption: true });
    document.getPageCount();
  } catch {
    throw new InvalidFile('brokenPdf');
  }
  if (document.isEncrypted) throw new InvalidFile('encryptedPdf');
  return document;
}
