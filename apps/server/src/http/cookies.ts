const asked = new WeakMap<Request, string[]>()

/** Puts a cookie on the reply to this request, whatever the handler answers. */
export function setCookie(request: Request, cookie: string): void {
  asked.set(request, [...(asked.get(request) ?? []), cookie])
}
/** Adds the cookies asked for by {@link setCookie}. */
export function withCookies(request: Request, response: Response): Response {
  for (const cookie of asked.get(request) ?? []) response.headers.append('set-cookie', cookie)
  return response
}
/** A cookie the request carries. */
export function cookieOf({ headers }: Request, name: string): string | null {
  const pair = (headers.get('cookie') ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
  return pair === undefined ? null : pair.slice(name.length + 1)
}
