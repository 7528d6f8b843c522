// Sends e-mail by the driver that MAIL_DRIVER names.
import { createTransport } from 'nodemailer'
import { appendToOutbox } from '../outbox-file.ts'
import type { Settings } from '../settings/settings.ts'
import type { SmtpAccount } from '../settings/settings-mail.ts'

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same for every attempt of one notice, so that mail servers can drop a second copy. */
  readonly messageId: string
}

export interface MailDriver {
  readonly name: Settings['mailDriver']
  /** Resolves when the server has accepted the mail. @throws Error with the server's `code` */
  readonly send: (mail: Mail) => Promise<void>
}

const drivers = new WeakMap<Settings, MailDriver>()

/** The driver of the settings; null where no mail is sent. Callers with the same settings share it. */
export function findMailDriver(settings: Settings, now: () => Date): MailDriver | null {
  if (settings.mailDriver === 'none') return null
  const { smtp } = settings
  const driver =
    drivers.get(settings) ??
    (smtp === undefined ? createOutbox(settings, now) : createSmtp(settings, smtp))
  drivers.set(settings, driver)
  return driver
}

/** Sends nothing: appends each mail to `outbox/mail.jsonl`, one line of JSON each. */
function createOutbox(settings: Pick<Settings, 'dataDir'>, now: () => Date): MailDriver {
  return { name: 'outbox', send: (mail) => appendToOutbox(settings, 'mail.jsonl', now, mail) }
}

const waitMs = 10_000

function createSmtp(
  { mailFrom }: Pick<Settings, 'mailFrom'>,
  { host, port, security, login }: SmtpAccount,
): MailDriver {
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'plain',
    ...(login !== null && { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    // Contents are ours alone: nothing is fetched or read for them.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    name: 'smtp',
    send: async ({ to, subject, text, messageId }) => {
      // As an object: an address in a text could name several receivers.
      await transport.sendMail({
        from: mailFrom,
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${messageId}>`,
      })
    },
  }
}
