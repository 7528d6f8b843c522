export const jsonType = 'application/json'
export const formType = 'application/x-www-form-urlencoded'
export const multipartType = 'multipart/form-data'

/** Whether the body is a form, whose values are all texts. */
export function isForm(request: Request): boolean {
  return [formType, multipartType].includes(mediaType(request))
}

/** `application/json` of `Application/JSON; charset=utf-8`. */
export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
