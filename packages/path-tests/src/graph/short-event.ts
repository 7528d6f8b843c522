/** Short names of `after` and child events: `after POLL`, `done createOrder`. */
export function shortEvent(type: string): string {
  const [, kind, rest] =
    /^xstate\.(after|done\.actor|error\.actor|done\.state)\.(.*)$/s.exec(type) ?? []
  if (kind === undefined || rest === undefined) return type === '' ? 'always' : type
  if (kind === 'after') return `after ${rest.split('.')[0] ?? rest}`
  return kind === 'done.state' ? 'done' : `${kind === 'done.actor' ? 'done' : 'error'} ${rest}`
}
