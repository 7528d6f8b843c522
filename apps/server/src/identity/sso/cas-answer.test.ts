import { describe, expect, it } from 'vitest'
import { readCasAnswer } from './cas-answer.ts'

const response = (inner: string, uri = 'http://www.yale.edu/tp/cas') =>
  `<cas:serviceResponse xmlns:cas="${uri}">${inner}</cas:serviceResponse>`
const success = (inner: string) =>
  response(`<cas:authenticationSuccess>${inner}</cas:authenticationSuccess>`)

describe('readCasAnswer', () => {
  it('reads the user and attributes, of which one may have several values', () => {
    const xml = success(
      `<cas:user> clerk </cas:user><cas:attributes><cas:name>李 &amp; 文</cas:name>
       <cas:groups>a</cas:groups><cas:groups><![CDATA[b]]></cas:groups></cas:attributes>`,
    )
    expect(readCasAnswer(xml)).toEqual({
      user: 'clerk',
      attributes: { name: '李 & 文', groups: ['a', 'b'] },
    })
  })
  it('reads the code of a failure', () => {
    const failure = response(
      '<cas:authenticationFailure code="INVALID_TICKET">no</cas:authenticationFailure>',
    )
    expect(readCasAnswer(failure)).toEqual({ failure: 'INVALID_TICKET' })
  })
  it('believes nothing of another form', () => {
    const user = '<cas:user>clerk</cas:user>'
    for (const xml of [
      '',
      'yes\nclerk\n',
      success(''),
      success('<cas:user></cas:user>'),
      success(user + user),
      success(`<cas:attributes>${user}</cas:attributes>`),
      response(user),
      success(user).replaceAll('authenticationSuccess', 'authenticationMaybe'),
      response(`<cas:authenticationSuccess>${user}</cas:authenticationSuccess>`, 'urn:other'),
      response(
        `<cas:authenticationSuccess>${user}</cas:authenticationSuccess><cas:authenticationFailure code="X"/>`,
      ),
      `<!DOCTYPE x [<!ENTITY who "admin">]>${success('<cas:user>&who;</cas:user>')}`,
      success(user).slice(0, -5),
    ])
      expect(readCasAnswer(xml), xml).toBeUndefined()
  })
  it('keeps attributes off the prototype', () => {
    const answer = readCasAnswer(
      success(
        '<cas:user>clerk</cas:user><cas:attributes><cas:__proto__>x</cas:__proto__></cas:attributes>',
      ),
    )
    expect(answer).toMatchObject({ user: 'clerk' })
    expect(Object.getPrototypeOf((answer as { attributes: object }).attributes)).toBe(
      Object.prototype,
    )
  })
})
