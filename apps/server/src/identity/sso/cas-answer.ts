// The XML with which a CAS server answers /p3/serviceValidate (CAS protocol 3.0 §2.5, appendix A).
import { SaxesParser } from 'saxes'

const namespace = 'http://www.yale.edu/tp/cas'

export type CasAnswer =
  | { readonly user: string; readonly attributes: Readonly<Record<string, string | string[]>> }
  /** `INVALID_TICKET` and others. */
  | { readonly failure: string }

/** Undefined for anything else than one success or one failure. */
export function readCasAnswer(xml: string): CasAnswer | undefined {
  const found = { users: [] as string[], failures: [] as string[], successes: 0 }
  const attributes = new Map<string, string[]>()
  const path: string[] = []
  let text = ''
  const parser = new SaxesParser({ xmlns: true })
  parser.on('doctype', () => {
    throw new Error('a document type')
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, uri, attributes: given }) => {
    path.push(uri === namespace ? local : `{${uri}}${local}`)
    text = ''
    const here = path.join('/')
    if (here === success) found.successes += 1
    if (here === 'serviceResponse/authenticationFailure')
      found.failures.push(String(given['code']?.value ?? ''))
  })
  parser.on('text', (piece) => {
    text += piece
  })
  parser.on('cdata', (piece) => {
    text += piece
  })
  parser.on('closetag', () => {
    const parent = path.slice(0, -1).join('/')
    const name = path.at(-1) ?? ''
    if (parent === success && name === 'user') found.users.push(text.trim())
    if (parent === `${success}/attributes` && /^[\w.-]+$/.test(name))
      attributes.set(name, [...(attributes.get(name) ?? []), text.trim()])
    path.pop()
    text = ''
  })
  try {
    parser.write(xml).close()
  } catch {
    return undefined
  }
  const { users, failures, successes } = found
  const [user = ''] = users
  if (successes === 1 && users.length === 1 && user !== '' && failures.length === 0)
    return {
      user,
      attributes: Object.fromEntries(
        [...attributes].map(([name, values]) => [
          name,
          values.length === 1 ? (values[0] ?? '') : values,
        ]),
      ),
    }
  return successes === 0 && failures.length === 1 ? { failure: failures[0] ?? '' } : undefined
}

const success = 'serviceResponse/authenticationSuccess'
