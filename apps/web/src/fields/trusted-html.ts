import DOMPurify from 'dompurify'

interface Factory {
  createPolicy: (
    name: string,
    rules: { createHTML: (html: string) => string; createScriptURL: (url: string) => string },
  ) => unknown
}
let installed = false

/**
 * The page's default policy, for libraries that know nothing of Trusted Types (docs/rules/security.md#w1): HTML that the editor parses is sanitised,
 * and the PDF viewer's worker may only be a script of ours.
 */
export function installTrustedTypes(): void {
  if (installed) return
  installed = true
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
  factory?.createPolicy('default', {
    createHTML: (html) => DOMPurify.sanitize(html),
    createScriptURL: ownScript,
  })
}

function ownScript(url: string): string {
  if (new URL(url, location.href).origin !== location.origin)
    throw new TypeError('a script from elsewhere')
  return url
}
