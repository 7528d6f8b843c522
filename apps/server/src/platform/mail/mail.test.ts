import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSettings, SettingsError } from '../settings/settings.ts'
import { findMailDriver } from './mail.ts'

const received: string[] = []
let server: Server
/** The server's answer to a recipient. */
let answer = '250 fine'

/** Speaks as much of RFC 5321 as a client without login or encryption asks for. */
beforeAll(async () => {
  server = createServer((socket) => {
    let isData = false
    let text = ''
    socket.write('220 mail.test ESMTP\r\n')
    socket.on('data', (bytes) => {
      for (const line of String(bytes).split('\r\n').slice(0, -1)) {
        if (isData) {
          if (line !== '.') {
            text += `${line}\n`
            continue
          }
          isData = false
          received.push(text)
          socket.write('250 queued\r\n')
        } else if (line.startsWith('DATA')) {
          ;[isData, text] = [true, '']
          socket.write('354 go on\r\n')
        } else if (line.startsWith('RCPT')) socket.write(`${answer}\r\n`)
        else if (line.startsWith('QUIT')) socket.end('221 bye\r\n')
        else socket.write('250 mail.test\r\n')
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

const buildDriver = () =>
  findMailDriver(
    readSettings({
      APP_ENV: 'test',
      MAIL_DRIVER: 'smtp',
      MAIL_FROM: '教务处 <jwc@school.test>',
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String((server.address() as AddressInfo).port),
      SMTP_SECURITY: 'plain',
    }),
    () => new Date(),
  )
const mail = {
  to: 'li@school.test',
  subject: '成绩更正：同意',
  text: '现为“已更正”。',
  messageId: '1.2@test',
}

it('sends a mail in Chinese to one receiver, under the id that it was given', async () => {
  await buildDriver()?.send(mail)
  const [text = ''] = received
  expect(text).toContain('To: li@school.test')
  expect(text).toContain('Message-ID: <1.2@test>')
  expect(text).toContain(`Subject: =?UTF-8?B?${Buffer.from(mail.subject).toString('base64')}?=`)
  expect(Buffer.from(text.split('\n\n')[1] ?? '', 'base64').toString()).toBe(mail.text)
})

it('takes an address for one address, and fails where the server refuses it', async () => {
  answer = '550 no such user'
  const to = 'li@school.test, wang@school.test'
  await expect(buildDriver()?.send({ ...mail, to })).rejects.toMatchObject({ code: 'EENVELOPE' })
  expect(received).toHaveLength(1)
})

it('sends none in production unless told to, and refuses settings that do not fit together', () => {
  const env = { APP_ENV: 'test', MAIL_DRIVER: 'smtp' }
  expect(() => readSettings(env)).toThrow(
    new SettingsError('SMTP_HOST and MAIL_FROM must be set when MAIL_DRIVER is smtp.'),
  )
  const whole = { ...env, SMTP_HOST: 'mail.test', MAIL_FROM: 'a@mail.test' }
  expect(readSettings(whole).smtp).toEqual({
    host: 'mail.test',
    port: 587,
    security: 'starttls',
    login: null,
  })
  expect(() => readSettings({ ...whole, SMTP_USER: 'a' })).toThrow('belong together')
  expect(() =>
    readSettings({ ...whole, SMTP_USER: 'a', SMTP_PASSWORD: 'b', SMTP_SECURITY: 'plain' }),
  ).toThrow('SMTP_SECURITY must be tls or starttls')
  expect(
    findMailDriver(readSettings({ APP_ENV: 'test', MAIL_DRIVER: 'none' }), () => new Date()),
  ).toBe(null)
})
