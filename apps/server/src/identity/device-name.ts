import Bowser from 'bowser'

/** `jiaowu/0.2.0 (linux x64)`, as the terminal names itself. */
const terminal = /^jiaowu\/(\d[\d.]{0,20})(?: \(([\w ]{1,40})\))?$/

/**
 * Program and system of a user agent in words, such as `Chrome 131 · Windows 10`; null for one that says
 * neither. Known names alone, so that nobody puts a sentence of their own before the person who is asked
 * whether to let a device in. What a program says about itself proves nothing: it only helps to recognise one.
 */
export function deviceName(userAgent: string | null): string | null {
  if (userAgent === null || userAgent.trim() === '') return null
  const [isTerminal, version = '', machine = ''] = terminal.exec(userAgent) ?? []
  if (isTerminal !== undefined) return joinParts([`jiaowu ${version}`, machine])
  const { browser, os } = Bowser.parse(userAgent)
  return joinParts([
    findKnown(Bowser.BROWSER_MAP, browser.name, browser.version?.split('.')[0]),
    findKnown(Bowser.OS_MAP, os.name, systemVersion(os)),
  ])
}

type Names = Readonly<Record<string, string>>

/** The release of Windows or macOS by its name, of the others by its number. */
function systemVersion({ name, version, versionName }: Bowser.Parser.OSDetails) {
  return name === 'Windows' || name === 'macOS' ? versionName : version
}

function findKnown(names: Names, name: string | undefined, version: string | undefined): string {
  if (name === undefined || !Object.values(names).includes(name)) return ''
  return version !== undefined && /^[\w. ]{1,20}$/.test(version) ? `${name} ${version}` : name
}

function joinParts(parts: readonly string[]): string | null {
  const said = parts.filter((part) => part !== '')
  return said.length === 0 ? null : said.join(' · ')
}
