// The notations of dates and clocks, brought to `YYYY-M-D clock` and `H:mm`. Only the form changes:
// whether the day exists is for the reader to say.

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthWord = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'
const between = '\\s*[-/.\\\\、,—–_ ]\\s*'
const yearFirst = new RegExp(`^(\\d{4})${between}(\\d{1,2})${between}(\\d{1,2})(?!\\d)[.,]?`)
const yearLast = new RegExp(`^(\\d{1,2})${between}(\\d{1,2})${between}(\\d{4}|\\d{1,2})(?!\\d)`)
const dayMonth = new RegExp(
  `^(\\d{1,2})(?:st|nd|rd|th)?[-/., ]*${monthWord}[-/., ]*(\\d{4})(?!\\d)`,
  'i',
)
const monthDay = new RegExp(
  `^${monthWord}[-/., ]*(\\d{1,2})(?:st|nd|rd|th)?[-/., ]+(\\d{4})(?!\\d)`,
  'i',
)
const weekday =
  /[(（]?(?:星期|周|礼拜)[一二三四五六日天][)）]?|^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[., ]+/gi

/** Half width, plain blanks, nothing invisible. */
export function plainBlanks(input: string): string {
  return input
    .normalize('NFKC')
    .replace(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** `2004年9月1日`, `2004/9/1`, `二〇〇四年九月一日`, `民国93年9月1日`, `1 Sep 2004` as `2004-9-1`. */
export function plainDate(input: string): string {
  const text = fromHan(plainBlanks(input).replace(weekday, ' ').trim())
    .replace(/^民国\s*(\d{1,3})\s*年/, (_all, n: string) => `${Number(n) + 1911}年`)
    .replace(/^(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]?\s*/, '$1-$2-$3 ')
    .replace(yearFirst, '$1-$2-$3 ')
    .replace(dayMonth, (_all, d: string, m: string, y: string) => `${y}-${findMonth(m)}-${d} `)
    .replace(monthDay, (_all, m: string, d: string, y: string) => `${y}-${findMonth(m)}-${d} `)
    .replace(/ +/g, ' ')
    .trim()
  const [only, ...others] = orders(text)
  return only === undefined || others.length > 0
    ? text.replace(/ T/, 'T')
    : text.replace(yearLast, only)
}

function findMonth(word: string): number {
  return months.indexOf(word.toLowerCase()) + 1
}

/**
 * The days that `9/1/2004`, `31.12.1999` and `99-12-31` can mean: the order of day, month and year
 * differs between programs. Two years of two digits are read as spreadsheets do: 30 to 99 are 19xx.
 */
export function orders(input: string): string[] {
  const [, a = '', b = '', c] = yearLast.exec(plainBlanks(input)) ?? []
  if (c === undefined) return []
  const pad = (n: string | number) => String(n).padStart(2, '0')
  const isMonth = (n: string) => Number(n) >= 1 && Number(n) <= 12
  const isDay = (n: string) => Number(n) >= 1 && Number(n) <= 31
  const century = (n: string) => (n.length === 4 ? n : `${Number(n) < 30 ? '20' : '19'}${pad(n)}`)
  const found = [
    ...(c.length > 1 && isMonth(a) && isDay(b) ? [`${century(c)}-${pad(a)}-${pad(b)}`] : []),
    ...(c.length > 1 && isDay(a) && isMonth(b) ? [`${century(c)}-${pad(b)}-${pad(a)}`] : []),
    ...(c.length < 4 && a.length === 2 && isMonth(b) && isDay(c)
      ? [`${century(a)}-${pad(b)}-${pad(c)}`]
      : []),
  ]
  return [...new Set(found)]
}

/** `上午 8:30`, `8:30 PM`, `8点30分`, `8时` as `8:30`, `20:30`, `8:30`, `8:00`. */
export function plainClock(input: string): string {
  const text = plainBlanks(input)
    .replace(/(\d{1,2})\s*[点时]\s*整?/, '$1:')
    .replace(/(\d{1,2})\s*分\s*(?:(\d{1,2})\s*秒)?/, (_all, m: string, s?: string) =>
      s === undefined ? m : `${m}:${s}`,
    )
    .replace(/:$/, ':00')
  const noon = /^(上午|下午|晚上|中午|凌晨|am|pm)\s*(.+)$/i.exec(text)
  const after = /^(.+?)\s*([ap])\.?m\.?$/i.exec(text)
  const word = (noon?.[1] ?? after?.[2] ?? '').toLowerCase()
  const clock = noon?.[2] ?? after?.[1] ?? text
  if (word === '') return clock
  const isLate = ['下午', '晚上', 'pm', 'p'].includes(word)
  return clock.replace(/^\d{1,2}/, (hour) => {
    const h = Number(hour)
    return String(isLate ? (h < 12 ? h + 12 : h) : h === 12 && word !== '中午' ? 0 : h)
  })
}

const digits = '〇一二三四五六七八九'

/** `二〇〇四年九月二十一日` as `2004年9月21日`; other text as it is. */
function fromHan(text: string): string {
  if (!/[〇○零一二三四五六七八九十廿]\s*[年月]/.test(text)) return text
  return text
    .replace(/[○零]/g, '〇')
    .replace(/[〇一二三四五六七八九]{4}(?=年)/, (year) =>
      [...year].map((c) => digits.indexOf(c)).join(''),
    )
    .replace(/[〇一二三四五六七八九十廿]{1,3}(?=[月日号])/g, (n) => String(hanNumber(n)))
}

/** 1 to 99. */
function hanNumber(text: string): number {
  const [tens, ones] = text.replace('廿', '二十').split('十')
  if (ones === undefined) return Math.max(0, digits.indexOf(text))
  const ten = tens === '' || tens === undefined ? 1 : digits.indexOf(tens)
  return ten * 10 + (ones === '' ? 0 : digits.indexOf(ones))
}
