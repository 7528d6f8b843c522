// Which passwords of accounts are taken (docs/rules/security.md#p1): long enough, and not among those
// that an attacker tries first.
import { createRequire } from 'node:module'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** Characters; a school may ask for more (PASSWORD_MIN_LENGTH). */
const leastLength = 8
const maxLength = 128
/** Base-10 logarithm of the guesses that a password must withstand: two million. */
const leastGuesses = 6.3
/** Longer passwords are not estimated, because that takes up to 0.3 s; they pass many million guesses. */
const estimatedLength = 64

/** Words that people put digits and signs behind: in English, pinyin and the trade's own. */
const stems = (
  'password passwd passw0rd p@ssword p@ssw0rd pa55word passcode secret default changeme welcome ' +
  'letmein login hello qwerty asdf zxcv qaz qazwsx wsx abc abcd aaa qwe asd zxc admin administrator ' +
  'root user guest test demo temp system manager master monkey dragon sunshine princess football ' +
  'superman shadow iloveyou spring summer autumn fall winter january february march april may june ' +
  'july august september october november december monday tuesday wednesday thursday friday ' +
  'saturday sunday woaini aini woaiwojia wo1314 wang zhang liu chen yang zhao huang zhou zhongguo ' +
  '5201314 1314520 7758521 7758258 china beijing shanghai guangzhou shenzhen nihao mima guanli guanliyuan wangluo ceshi jiaowu ' +
  'jiaowuchu jwc jwxt xuesheng laoshi jiaoshi daxue xuexiao banji kaoshi chengji student teacher ' +
  'school college university registrar'
).split(' ')
const stemWithTail = new RegExp(`^(?:${stems.join('|')})[\\d!@#$%^&*.,?+_-]{0,8}$`)
/** Sequences of digits, letters and keys: 23456789, hgfedcba, qwertyui. */
const runs = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl;',
  'zxcvbnm,./',
].flatMap((run) => [run, [...run].reverse().join('')])

/**
 * @param own words that belong to the account: its name, its user's name, the mobile, the e-mail
 */
export function isGoodPassword(
  password: string,
  own: readonly string[] = [],
  minLength: number = leastLength,
): boolean {
  return (
    [...password].length >= minLength &&
    password.length <= maxLength &&
    !isUsual(password.toLowerCase()) &&
    !consistsOnlyOfParts(password.toLowerCase(), own) &&
    (password.length > estimatedLength || isHardToGuess(password, own))
  )
}

function isUsual(password: string): boolean {
  return (
    stemWithTail.test(password) ||
    new Set(password).size <= 2 ||
    runs.some((run) => run.includes(password))
  )
}

/** One of the account's own words, or one with at most four other characters. */
function consistsOnlyOfParts(password: string, own: readonly string[]): boolean {
  return splitIntoParts(own).some(
    (word) => password.includes(word) && password.length - word.length <= 4,
  )
}

/** Words of three characters and more: of `zhang.san@example.edu.cn` also the part before the `@`. */
function splitIntoParts(own: readonly string[]): readonly string[] {
  return own
    .flatMap((word) => [word, word.split('@')[0] ?? ''])
    .map((word) => word.trim().toLowerCase())
    .filter((word) => [...word].length >= 3)
}

let loaded: ZxcvbnFactory | undefined

function isHardToGuess(password: string, own: readonly string[]): boolean {
  loaded ??= load()
  return loaded.check(password, [...splitIntoParts(own)]).guessesLog10 >= leastGuesses
}

/** Loaded at the first password: 49,000 leaked passwords take 60 ms and 20 MB. */
function load(): ZxcvbnFactory {
  const require = createRequire(import.meta.url)
  const core = require('@zxcvbn-ts/core') as typeof import('@zxcvbn-ts/core')
  const common =
    require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, stems },
    graphs: common.adjacencyGraphs,
  })
}
