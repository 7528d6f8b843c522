import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import type { Services } from '../../model/context.ts'
import { readCapped } from '../../platform/requests/read-capped.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'
import { findGateway } from '../gateways.ts'
import { settlePayment } from '../settle-payment.ts'
import { cashierStyle } from './cashier-style.ts'
import { cashierPath, recordPress, tradeByToken } from './gateway.ts'

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
type Trade = NonNullable<Awaited<ReturnType<typeof tradeByToken>>>
type Face = 'open' | 'paid' | 'failed' | 'closed'
const verdicts = {
  paid: ['✓', 'cashier.done', 'cashier.doneHint'],
  failed: ['!', 'cashier.failed', 'cashier.failedHint'],
  closed: ['–', 'cashier.closed', 'cashier.closedHint'],
} as const

const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
const formBytes = 1_024

/**
 * The payment page of the sandbox. Anyone with its address may pay, as with any payment QR code.
 * @throws Refusal 404, 400, 405
 */
export async function cashier(
  services: Services,
  request: Request,
  pathname: string,
  locale: Locale,
): Promise<Response> {
  if (services.settings.payDriver !== 'sandbox') throw notFound()
  const name = pathname.slice(cashierPath.length)
  if (name === 'style.css')
    return new Response(cashierStyle, {
      headers: {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=3600',
      },
    })
  const trade = /^[\w-]{22}$/.test(name) ? await tradeByToken(services, name) : undefined
  if (trade === undefined) throw notFound()
  if (request.method === 'GET')
    return new Response(renderCashier(locale, trade, resolveFace(trade, services.now())), {
      headers,
    })
  if (request.method !== 'POST') throw new Refusal(405, { key: 'problem.methodNotAllowed' })
  await recordPress(services, trade.token, await readButton(request))
  await tell(services, trade.order_no)
  return new Response(null, {
    status: 303,
    headers: { location: `${cashierPath}${trade.token}`, 'cache-control': 'no-store' },
  })
}

/** No script and no inline style, to satisfy the content security policy. */
function renderCashier(locale: Locale, trade: Trade, face: Face): string {
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${t(locale, 'cashier.title')}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${cashierPath}style.css"></head>
<body><main><header><h1>${t(locale, 'cashier.title')}</h1><p>${t(locale, 'cashier.hint')}</p></header>
<p class="price"><span>¥</span>${(trade.amount_fen / 100).toFixed(2)}</p>
<dl><dt>${t(locale, 'cashier.item')}</dt><dd>${escape(trade.description)}</dd><dt>${t(locale, 'cashier.order')}</dt><dd class="number">${escape(trade.order_no)}</dd></dl>
${face === 'open' ? '' : renderVerdict(locale, face)}${face === 'open' || face === 'failed' ? buttons(locale, trade, face) : ''}
</main></body></html>`
}

function renderVerdict(locale: Locale, face: Exclude<Face, 'open'>) {
  const [sign, title, hint] = verdicts[face]
  return `<div class="verdict ${face}" role="status"><span aria-hidden="true">${sign}</span><h2>${t(locale, title)}</h2><p>${t(locale, hint)}</p></div>`
}

function buttons(locale: Locale, { token }: Trade, face: Face) {
  return `
  <form method="post" action="${cashierPath}${token}"><button class="main" name="button" value="pay">${t(locale, face === 'failed' ? 'cashier.again' : 'cashier.pay')}</button>
  ${face === 'failed' ? '' : `<button name="button" value="fail">${t(locale, 'cashier.fail')}</button>`}</form>`
}

function resolveFace({ state, expires_at }: Trade, now: Date): Face {
  if (state === 'SUCCESS' || state === 'REFUND') return 'paid'
  if (state === 'CLOSED' || new Date(expires_at) <= now) return 'closed'
  return state === 'PAYERROR' ? 'failed' : 'open'
}

async function readButton(request: Request): Promise<'pay' | 'fail'> {
  const text = new TextDecoder().decode(await readCapped(request, formBytes))
  const button = new URLSearchParams(text).get('button')
  if (button !== 'pay' && button !== 'fail') throw new Refusal(400, { key: 'problem.invalid' })
  return button
}

/** Reports the payment to the server, as a provider's notification would. */
async function tell(services: Services, orderNo: string): Promise<void> {
  const known = await findGateway(services).query(orderNo)
  if (known.state === 'paid') await settlePayment(services, known.payment, 'notify')
}
