import DOMPurify from 'dompurify'

interface Factory {
  createPolicy: (
    name: string,
    rules: { createHTML: (html: string) => string; createScriptURL: (url: string) => string },
  ) => unknown
}
let installed = false

/**
 * Installs the page's default Trusted Types policy, for libraries without their own
 * (docs/rules/security.md#w1): sanitises HTML that the editor parses, and restricts the worker of
 * the PDF viewer to scripts of this origin.
 */
export function installTrustedTypes(): void {
  if (installed) return
  installed = true
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
  factory?.createPolicy('default', {
    createHTML: (html) => DOMPurify.sanitize(html),
    createScriptURL: sameOriginScript,
  })
}

function sameOriginScript(url: string): string {
  if (new URL(url, location.href).origin !== location.origin)
    throw new TypeError(`script from another origin: ${url}`)
  return url
}
