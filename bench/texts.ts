// Texts like those of a real gallery: in many scripts, most of them short, a few very long, 380 characters on average.

const english =
  'amber anvil badge beacon bobbin bracket cardboard circuit clay cobalt copper cotton crank dynamo ember felt gear glider hinge kite lantern lever linen loom magnet marble mosaic orbit origami paper pendulum pinhole pulley quilt robot rocket rotor sensor signal solder spindle spring sundial telescope thread turbine velcro walnut weather windmill wire yarn zoetrope';

/** The words of a script, and how many of a hundred texts are written in it. */
const scripts: readonly (readonly [share: number, words: string])[] = [
  [30, english],
  [
    14,
    'año brújula cañón corazón lámpara niños pequeña rueda señal también écran flèche forêt lumière modèle où Brücke Drähte für größer Löten Schlüssel über wünschen ångström sköldpadda',
  ],
  [
    16,
    'бумага винт воздушный гайка двигатель дерево для звезда змей катушка клей колесо кораблик лампа магнит маятник мельница мы нитка потом провод робот сделали солнце часы школа',
  ],
  [
    12,
    '我们用 纸板 做了 一盏灯 电路 很简单 风筝 飞得 很高 机器人 会走路 小齿轮 木头 望远镜 请大家 试一试 磁铁 磁石 ロボット を作りました 紙ひこうき とても 楽しい',
  ],
  [
    10,
    'हमने काग़ज़ से पतंग बनाई और बिजली की छोटी मोटर लगाई पहिया घूमता है रोशनी चुंबक लकड़ी धागा सूरज घड़ी दूरबीन रंगीन मिट्टी',
  ],
  [
    10,
    'صنعنا مصباحًا صغيرًا من الورق المقوى والأسلاك ثم أضفنا محركًا وبطارية طائرة ورقية عجلة ضوء مغناطيس خشب خيط ساعة شمسية نجمة',
  ],
  // Letters and their marks are separate characters.
  [
    8,
    'con tàu giấy chiếc đèn lồng bánh xe nhỏ mặt trời gió thổi cối xay vật liệu dễ tìm chúng tôi học cách làm'.normalize(
      'NFD',
    ),
  ],
];
const emoji = ['🪁', '🤖', '🔧', '💡', '👩🏽‍🔬', '🧵', '🎉', '🇪🇸', '❤️'];

/** How many of a hundred texts have a length from so many characters to so many. */
const lengths: readonly (readonly [share: number, from: number, to: number])[] = [
  [40, 20, 120],
  [38, 120, 400],
  [18, 400, 1200],
  [3.5, 1200, 3000],
  [0.5, 3000, 12_000],
];

const wordLists = scripts.map(([share, words]) => [share, words.split(' ')] as const);

type RandomBelow = (limit: number) => number;

const pick = <Item>(items: readonly Item[], randomBelow: RandomBelow) =>
  items[randomBelow(items.length)] as Item;

/** Picks by the shares, which are the first members. */
function pickByShare<Item extends readonly [share: number, ...rest: unknown[]]>(
  items: readonly Item[],
  randomBelow: RandomBelow,
): Item {
  let rest = randomBelow(1000) / 10;
  for (const item of items) {
    rest -= item[0];
    if (rest < 0) return item;
  }
  return items[0] as Item;
}

/** For tags and the names of people: words in English. */
export const englishWords = english.split(' ');

/** A title of three words and a text, in the same script. */
export function generateTexts(randomBelow: RandomBelow): { title: string; text: string } {
  const [, words] = pickByShare(wordLists, randomBelow);
  const [, from, to] = pickByShare(lengths, randomBelow);
  const length = from + randomBelow(to - from);
  const title = Array.from({ length: 3 }, () => pick(words, randomBelow)).join(' ');
  let text = pick(words, randomBelow);
  for (let count = 1; text.length < length; count++)
    text += (count % 12 === 0 ? '.\n' : ' ') + pick(words, randomBelow);
  return { title, text: randomBelow(10) === 0 ? `${text} ${pick(emoji, randomBelow)}` : text };
}
