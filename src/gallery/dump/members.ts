// Reads the members of a line. A schema library takes five times as long, and this is most of the cost of an import
// with a million lines.

/** Its message ends a sentence that begins with the member's name. */
export class InvalidMember extends Error {}

type MemberReader<Value> = (value: unknown) => Value;

export function readMembers<Result>(
  members: Record<string, MemberReader<unknown>>,
  values: Record<string, unknown>,
): Result | string {
  const result: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const name in members) {
    try {
      result[name] = (members[name] as MemberReader<unknown>)(values[name]);
    } catch (error) {
      if (!(error instanceof InvalidMember)) throw error;
      problems.push(`${name}: ${values[name] === undefined ? 'is missing' : error.message}.`);
    }
  }
  for (const name in values)
    if (!Object.hasOwn(members, name)) problems.push(`${JSON.stringify(name.slice(0, 60))}: is not known.`);
  return problems.length ? problems.slice(0, 10).join(' ') : (result as Result);
}

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): MemberReader<number> {
  return (value) => {
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
      return value as number;
    const bound = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new InvalidMember(`must be a whole number ${bound}`);
  };
}

export function oneOf<const Value extends string | number>(choices: readonly Value[]): MemberReader<Value> {
  return (value) => {
    if (choices.includes(value as Value)) return value as Value;
    throw new InvalidMember(`must be one of ${choices.join(', ')}`);
  };
}

export function nullable<Value>(read: MemberReader<Value>): MemberReader<Value | null> {
  return (value) => (value === null ? null : read(value));
}

export function optional<Value>(read: MemberReader<Value>): MemberReader<Value | undefined> {
  return (value) => (value === undefined ? undefined : read(value));
}

interface TextRules {
  minLength?: number;
  maxLength: number;
  oneLine?: boolean;
  pattern?: [pattern: RegExp, words: string];
  forbidden?: [pattern: RegExp, words: string];
}

export function text({
  minLength = 0,
  maxLength,
  oneLine,
  pattern,
  forbidden,
}: TextRules): MemberReader<string> {
  return (value) => {
    if (typeof value !== 'string') throw new InvalidMember('must be a text');
    if (!value.isWellFormed() || value.includes('\0'))
      throw new InvalidMember('must be Unicode text without NUL');
    // A character outside the basic plane counts as one, although it takes two UTF-16 units.
    const length = value.length <= maxLength ? value.length : [...value].length;
    if (length < minLength || length > maxLength)
      throw new InvalidMember(`must have ${minLength} to ${maxLength} characters`);
    if (oneLine && /\p{Cc}/u.test(value)) throw new InvalidMember('must not hold control characters');
    if (pattern && !pattern[0].test(value)) throw new InvalidMember(`must be ${pattern[1]}`);
    if (forbidden?.[0].test(value)) throw new InvalidMember(`must not hold ${forbidden[1]}`);
    return value;
  };
}

/** One line of text without surrounding spaces, and not empty. */
export function trimmedText(rules: TextRules): MemberReader<string> {
  const read = text({ ...rules, minLength: 1, oneLine: true });
  return (value) => read(typeof value === 'string' ? value.trim() : value);
}

export function objects<Members extends Record<string, MemberReader<unknown>>>(
  members: Members,
  { minItems, maxItems }: { minItems: number; maxItems: number },
): MemberReader<{ -readonly [Name in keyof Members]: ReturnType<Members[Name]> }[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems)
      throw new InvalidMember(`must be a list of ${minItems} to ${maxItems}`);
    return value.map((item) => {
      const result =
        typeof item === 'object' && item !== null
          ? readMembers<{ -readonly [Name in keyof Members]: ReturnType<Members[Name]> }>(members, item)
          : 'must be an object.';
      if (typeof result === 'string') throw new InvalidMember(result.replace(/\.$/, ''));
      return result;
    });
  };
}

export function list(rules: {
  maxItems: number;
  member: MemberReader<string>;
  uniqueBy: (member: string) => string;
}): MemberReader<string[]> {
  return (value) => {
    if (!Array.isArray(value)) throw new InvalidMember('must be a list');
    if (value.length > rules.maxItems) throw new InvalidMember(`must have at most ${rules.maxItems} members`);
    const members = value.map(rules.member);
    if (members.length > 1 && new Set(members.map(rules.uniqueBy)).size < members.length) {
      throw new InvalidMember('must not hold one member twice');
    }
    return members;
  };
}
