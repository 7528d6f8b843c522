/**
 * Every route of the console (docs/spec/1-entity-console.md §2,
 * docs/spec/2-student-service-and-designer.md §2). Hash mode: the paths follow `#`.
 */
export const paths = {
  home: '/',
  todo: '/todo',
  login: (redirect?: string) =>
    redirect === undefined || redirect === '/'
      ? '/login'
      : `/login?redirect=${encodeURIComponent(redirect)}`,
  /** The return from an identity provider. */
  sso: '/sso',
  notFound: '/404',
  verify: (code = '') => (code === '' ? '/verify' : `/verify/${code}`),
  list: (tag: string) => `/entity/${tag}/search`,
  /** With `copyOf`: a new record that begins with the values of that one. */
  form: (tag: string, query: { id?: string; title?: string; copyOf?: string } = {}) =>
    withQuery(`/entity/${tag}/form`, query),
  details: (tag: string, query: { id: string; title?: string }) =>
    withQuery(`/entity/${tag}/details`, query),
  formWindow: (tag: string, query: { id?: string; copyOf?: string } = {}) =>
    withQuery(`/entity/${tag}/form-window`, query),
  definitions: '/entity/config',
  /** With a table: an unsaved first draft for that table. */
  design: (tag: string, table?: string) =>
    `/entity/${tag}/config/design${table === undefined ? '' : `?table=${encodeURIComponent(table)}`}`,
  detailsWindow: (tag: string, query: { id: string }) =>
    withQuery(`/entity/${tag}/details-window`, query),
} as const

/** The key of an address that names the record to copy. */
export const copyKey = '_copy'

function withQuery(
  path: string,
  { id, title, copyOf }: { id?: string; title?: string; copyOf?: string },
): string {
  const query = new URLSearchParams({
    ...(id === undefined ? {} : { id }),
    ...(copyOf === undefined ? {} : { [copyKey]: copyOf }),
    ...(title === undefined ? {} : { _title: title }),
  }).toString()
  return query === '' ? path : `${path}?${query}`
}

/**
 * A redirect target from outside is followed only when it is a path of this application
 * (docs/rules/security.md#i6).
 */
export function safeRedirect(target: string | null): string {
  return target !== null && /^\/(?![/\\])/.test(target) && !/^\/(?:login|sso)/.test(target)
    ? target
    : '/'
}
