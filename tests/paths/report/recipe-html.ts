import { escapeHtml } from '@jiaowu/api/escape-html'

const step = /^([✗ ]) (\d+)\. (👆|⇄|⏱) (.*?)(?: {2}⇒ {2}(.*))?$/u
const kinds: Readonly<Record<string, string>> = { '👆': 'person', '⇄': 'call', '⏱': 'time' }
const difference = /^ {4}(.+?): model (.*), screen (.*)$/s
/** Steps shown before the failing one. */
const near = 6

/**
 * A recipe as HTML: the steps as a list with the last ones visible, the differences as a table, and
 * the line that reproduces it.
 */
export function recipeHtml(text: string): string {
  const lines = text.split('\n')
  const steps = lines.filter((line) => step.test(line)),
    reproduce = lines.filter((line) => line.startsWith('reproduce: '))
  const reasons = lines.filter((line) => line.startsWith('    ')),
    others = lines.filter((line) => ![...steps, ...reproduce, ...reasons].includes(line))
  const early = steps.slice(0, -1 - near),
    late = steps.slice(-1 - near)
  return [
    ...others.map((line) => `<p>${escapeHtml(line.trim())}</p>`),
    early.length === 0
      ? ''
      : `<details><summary>${early.length} earlier steps</summary><ol class="steps">${early.map(stepLine).join('')}</ol></details>`,
    late.length === 0 ? '' : `<ol class="steps">${late.map(stepLine).join('')}</ol>`,
    reasons.length === 0
      ? ''
      : `<table class="differs"><tr><th>what</th><th>the model</th><th>the screen</th></tr>${reasons.map(differs).join('')}</table>`,
    ...reproduce.map(
      (line) =>
        `<p><small>The same path again:</small></p><pre class="again">${escapeHtml(line.slice('reproduce: '.length))}</pre>`,
    ),
  ].join('')
}

function stepLine(line: string): string {
  const [, mark, number = '', glyph = '', label = '', state] = step.exec(line) ?? []
  return `<li value="${number}"${mark === '✗' ? ' class="fails"' : ''}><span class="kind">${kinds[glyph] ?? ''}</span> <code>${escapeHtml(label)}</code>${state === undefined ? '' : ` <small>${escapeHtml(state)}</small>`}</li>`
}

function differs(line: string): string {
  const [, part = '', model = '', screen = ''] = difference.exec(line) ?? []
  return part === ''
    ? `<tr><td colspan="3">${escapeHtml(line.trim())}</td></tr>`
    : `<tr><td>${escapeHtml(part)}</td><td><code>${escapeHtml(model)}</code></td><td><code>${escapeHtml(screen)}</code></td></tr>`
}
