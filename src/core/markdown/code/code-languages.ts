// The programming languages whose code is coloured, with what a reader needs to tell their parts from each other.

export interface CodeLanguage {
  readonly keywords: ReadonlySet<string>;
  /** Keywords in any case. */
  readonly ignoresCase?: boolean;
  readonly lineComments?: readonly string[];
  readonly blockComments?: readonly (readonly [start: string, end: string])[];
  /** These end with the line. The longer ones come first. */
  readonly strings?: readonly string[];
  /** These go on over line breaks. */
  readonly longStrings?: readonly string[];
  /** A name or a string before a colon names a value. */
  readonly hasKeys?: boolean;
  /** Outside of tags there is only text. */
  readonly isMarkup?: boolean;
}

const words = (text: string) => new Set(text.split(/\s+/));

const curly = words(
  `abstract as async auto await base bool boolean break byte case catch char class const constexpr continue debugger default
  defer delete do double else enum explicit export extends extern false final finally float fn for foreach friend from func
  function goto if impl implements import in inline instanceof int interface internal is let lock long match mod module
  mut namespace new nil null nullptr object operator out override package params private protected protocol pub public
  readonly record ref register return self sealed short signed sizeof static string struct super switch template this throw
  throws trait true try type typedef typename typeof union unsigned use using val var virtual void volatile when where while
  with yield String uint8_t uint16_t uint32_t int8_t int16_t int32_t size_t #include #define #ifdef #ifndef #if #else #endif
  #pragma module difference union intersection translate rotate scale HIGH LOW INPUT OUTPUT INPUT_PULLUP undefined`,
);
const slashComments = { lineComments: ['//'], blockComments: [['/*', '*/']] } as const;
const c: CodeLanguage = { ...slashComments, keywords: curly, strings: ['"', "'"] };
const script: CodeLanguage = { ...c, longStrings: ['`'] };

const python: CodeLanguage = {
  keywords: words(
    `False None True and as assert async await break case class continue def del elif else except finally for from global if
    import in is lambda match nonlocal not or pass raise return self try while with yield`,
  ),
  lineComments: ['#'],
  strings: ['"', "'"],
  longStrings: ['"""', "'''"],
};
const shell: CodeLanguage = {
  keywords: words(
    `alias break case cd continue do done echo elif else esac eval exec exit export fi for function if in local read return
    set shift source sudo then trap unset until while`,
  ),
  lineComments: ['#'],
  longStrings: ['"', "'"],
};
const ruby: CodeLanguage = {
  keywords: words(
    `alias and begin break case class def do else elsif end ensure false for if in module next nil not or puts redo require
    rescue retry return self super then true undef unless until when while yield`,
  ),
  lineComments: ['#'],
  strings: ['"', "'"],
};
const lua: CodeLanguage = {
  keywords: words(
    `and break do else elseif end false for function goto if in local nil not or repeat return then true until while`,
  ),
  lineComments: ['--'],
  blockComments: [['--[[', ']]']],
  strings: ['"', "'"],
};
const sql: CodeLanguage = {
  keywords: words(
    `add all alter and as asc between by case check column constraint create default delete desc distinct drop else end exists
    false foreign from group having in index inner insert integer into is join key left like limit not null on or order
    outer primary real references right select set table text then true union unique update values view when where with`,
  ),
  ignoresCase: true,
  lineComments: ['--'],
  blockComments: [['/*', '*/']],
  strings: ['"', "'"],
};
const json: CodeLanguage = { keywords: words('true false null'), strings: ['"'], hasKeys: true };
const css: CodeLanguage = {
  ...slashComments,
  keywords: words('@media @import @font-face @keyframes @supports @layer @container @use @include @mixin'),
  strings: ['"', "'"],
  hasKeys: true,
};
const yaml: CodeLanguage = {
  keywords: words('true false null yes no on off'),
  lineComments: ['#'],
  strings: ['"', "'"],
  hasKeys: true,
};
const markup: CodeLanguage = {
  keywords: new Set(),
  blockComments: [['<!--', '-->']],
  longStrings: ['"', "'"],
  isMarkup: true,
};

/** By the names that people write after the fence, which are also the extensions of files. */
const languages: Readonly<Record<string, CodeLanguage>> = Object.fromEntries(
  (
    [
      ['c h cpp c++ hpp cc arduino ino pde processing java kt kotlin cs csharp swift scad openscad', c],
      ['rs rust', { ...c, strings: ['"'] }],
      ['js javascript mjs jsx ts typescript tsx go php', script],
      ['py python micropython circuitpython', python],
      ['sh bash shell zsh', shell],
      ['rb ruby', ruby],
      ['lua', lua],
      ['sql', sql],
      ['json geojson', json],
      ['css scss', css],
      ['yaml yml toml ini', yaml],
      ['html xml svg', markup],
    ] as const
  ).flatMap(([names, language]) => names.split(' ').map((name) => [name, language])),
);

export function findLanguage(name: string): CodeLanguage | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(languages, key) ? languages[key] : undefined;
}
