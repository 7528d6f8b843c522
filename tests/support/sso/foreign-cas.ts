// A CAS server of protocol 3 on loopback: a page to sign in, tickets that are validated once.
import { createServer } from 'node:http'
import { readRequestForm, listening, type People } from './foreign-oidc.ts'

interface Ticket {
  readonly service: string
  readonly account: string
  readonly at: Date
}

export interface ForeignCas {
  readonly server: string
  /** Attributes by account; may be changed between two sign-ins. */
  readonly people: People
  /** Answers every validation with this instead. */
  bent: { status: number; body: string } | null
  /** The ticket that a sign-in of an account at this address gives. */
  readonly ticketFor: (service: string, account: string) => string
  /** Queries of validations. */
  readonly validated: URLSearchParams[]
  readonly stop: () => Promise<void>
}

export async function foreignCas(people: People): Promise<ForeignCas> {
  const tickets = new Map<string, Ticket>()
  const http = createServer()
  const server = `http://127.0.0.1:${await listening(http)}/cas`
  const ticketFor = (service: string, account: string) => {
    const ticket = `ST-${tickets.size + 1}-${Math.random().toString(36).slice(2)}`
    tickets.set(ticket, { service, account, at: new Date() })
    return ticket
  }
  const cas: ForeignCas = {
    server,
    people,
    bent: null,
    ticketFor,
    validated: [],
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  http.on('request', (request, response) => {
    const url = new URL(request.url ?? '', server)
    const service = url.searchParams.get('service') ?? ''
    if (url.pathname === '/cas/login' && request.method === 'POST')
      void readRequestForm(request).then((form) => {
        const back = new URL(service)
        back.searchParams.set('ticket', ticketFor(service, form.get('account') ?? ''))
        response.writeHead(302, { location: back.href }).end()
      })
    else if (url.pathname === '/cas/p3/serviceValidate') {
      cas.validated.push(url.searchParams)
      const id = url.searchParams.get('ticket') ?? ''
      const ticket = tickets.get(id)
      tickets.delete(id)
      response.statusCode = cas.bent?.status ?? 200
      response.setHeader('content-type', 'application/xml')
      response.end(cas.bent?.body ?? answerTo(ticket, service, people))
    } else {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(url.pathname === '/cas/logout' ? '<h1>已退出统一身份认证</h1>' : page)
    }
  })
  return cas
}

const page = `<!doctype html><html lang="zh"><meta charset="utf-8"><title>CAS</title>
<h1>统一身份认证平台</h1><form method="post"><label>账号 <input name="account"></label>
<button>登录</button></form></html>`

function answerTo(ticket: Ticket | undefined, service: string, people: People): string {
  const inner =
    ticket === undefined || ticket.service !== service
      ? '<cas:authenticationFailure code="INVALID_TICKET">not recognized</cas:authenticationFailure>'
      : `<cas:authenticationSuccess><cas:user>${escapeXml(ticket.account)}</cas:user><cas:attributes>
         <cas:authenticationDate>${ticket.at.toISOString()}[UTC]</cas:authenticationDate>
         ${attributes(people[ticket.account] ?? {})}</cas:attributes></cas:authenticationSuccess>`
  return `<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">${inner}</cas:serviceResponse>`
}

function attributes(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map(
        (one) => `<cas:${name}>${escapeXml(String(one))}</cas:${name}>`,
      ),
    )
    .join('')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
