// Reads the members of a line. A schema library did the same in five times the time, which is most of what a line
// costs: an import has a million of them.

/** The end of a sentence that begins with the member's name. */
export class Wrong extends Error {}

type Read<Value> = (value: unknown) => Value;

export function readMembers<Result>(
  members: Record<string, Read<unknown>>,
  given: Record<string, unknown>,
): Result | string {
  const result: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const name in members) {
    try {
      result[name] = (members[name] as Read<unknown>)(given[name]);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      wrong.push(`${name}: ${given[name] === undefined ? 'is missing' : error.message}.`);
    }
  }
  for (const name in given)
    if (!Object.hasOwn(members, name)) wrong.push(`${JSON.stringify(name.slice(0, 60))}: is not known.`);
  return wrong.length ? wrong.slice(0, 10).join(' ') : (result as Result);
}

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Read<number> {
  return (value) => {
    if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most)
      return value as number;
    const bound = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new Wrong(`must be a whole number ${bound}`);
  };
}

export function oneOf<const Value extends string | number>(choices: readonly Value[]): Read<Value> {
  return (value) => {
    if (choices.includes(value as Value)) return value as Value;
    throw new Wrong(`must be one of ${choices.join(', ')}`);
  };
}

export function nullable<Value>(read: Read<Value>): Read<Value | null> {
  return (value) => (value === null ? null : read(value));
}

export function optional<Value>(read: Read<Value>): Read<Value | undefined> {
  return (value) => (value === undefined ? undefined : read(value));
}

interface TextRules {
  least?: number;
  most: number;
  oneLine?: boolean;
  like?: [pattern: RegExp, words: string];
  without?: [pattern: RegExp, words: string];
}

export function text({ least = 0, most, oneLine, like, without }: TextRules): Read<string> {
  return (value) => {
    if (typeof value !== 'string') throw new Wrong('must be a text');
    if (!value.isWellFormed() || value.includes('\0')) throw new Wrong('must be Unicode text without NUL');
    // A character outside the basic plane is one character, though two units of the string.
    const length = value.length <= most ? value.length : [...value].length;
    if (length < least || length > most) throw new Wrong(`must have ${least} to ${most} characters`);
    if (oneLine && /\p{Cc}/u.test(value)) throw new Wrong('must not hold control characters');
    if (like && !like[0].test(value)) throw new Wrong(`must be ${like[1]}`);
    if (without?.[0].test(value)) throw new Wrong(`must not hold ${without[1]}`);
    return value;
  };
}

/** One line of text, without the spaces around it, and not empty. */
export function trimmed(rules: TextRules): Read<string> {
  const read = text({ ...rules, least: 1, oneLine: true });
  return (value) => read(typeof value === 'string' ? value.trim() : value);
}

/** A list of objects, each with these members. */
export function objects<Members extends Record<string, Read<unknown>>>(
  members: Members,
  { least, most }: { least: number; most: number },
): Read<{ -readonly [Name in keyof Members]: ReturnType<Members[Name]> }[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length < least || value.length > most)
      throw new Wrong(`must be a list of ${least} to ${most}`);
    return value.map((given) => {
      const read =
        typeof given === 'object' && given !== null
          ? readMembers<{ -readonly [Name in keyof Members]: ReturnType<Members[Name]> }>(members, given)
          : 'must be an object.';
      if (typeof read === 'string') throw new Wrong(read.replace(/\.$/, ''));
      return read;
    });
  };
}

export function list(rules: {
  most: number;
  member: Read<string>;
  different: (member: string) => string;
}): Read<string[]> {
  return (value) => {
    if (!Array.isArray(value)) throw new Wrong('must be a list');
    if (value.length > rules.most) throw new Wrong(`must have at most ${rules.most} members`);
    const members = value.map(rules.member);
    if (members.length > 1 && new Set(members.map(rules.different)).size < members.length) {
      throw new Wrong('must not hold one member twice');
    }
    return members;
  };
}
