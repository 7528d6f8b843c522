import { describe, expect, test } from 'vitest'
import { type Run, toHtml, toJunit } from './report.ts'

const walk = {
  machine: 'countdown',
  surface: 'bare',
  part: 'countdown',
  states: 4,
  edges: 6,
  walked: 6,
  visited: 4,
  paths: 3,
  steps: 6,
  ms: 1500,
  taken: ['countdown.running --after TICK[0]--> countdown.running'],
  failures: [],
} as const
function run(failures: readonly string[]): Run {
  return {
    seed: 7,
    seconds: 2,
    walks: [
      { ...walk, failures, pictures: failures.map(() => ({ kind: 'text', data: 'a <frame>' })) },
    ],
  }
}
const recipe = 'countdown journey-1 failed at step 1 of 1\n✗ 1. 👆 <look>'

describe('the report of a run', () => {
  test('colours walked and unwalked transitions', () => {
    const html = toHtml(run([]))
    expect(html).toContain('Every path was walked.')
    expect(html).toContain('<li class="taken"><code>after TICK</code>')
    expect(html).toContain('<li class="never"><code>countdown.look</code>')
    expect(html).toContain('<meter min="0" max="3" value="1"></meter>1 / 3</td>')
  })
  test('shows recipes with their markup escaped', () => {
    expect(toHtml(run([recipe]))).toContain('1 paths failed.')
    expect(toHtml(run([recipe]))).toContain(
      '<li value="1" class="fails"><span class="kind">person</span> <code>&lt;look&gt;</code></li>',
    )
    expect(toHtml(run([recipe]))).toContain('<pre class="screen">a &lt;frame&gt;</pre>')
  })
  test('is a JUnit file with one case per concern', () => {
    expect(toJunit(run([]))).toContain(
      '<testcase classname="countdown.bare" name="countdown" time="1.5"></testcase>',
    )
    expect(toJunit(run([recipe]))).toContain('failures="1"')
    expect(toJunit(run([recipe]))).toContain('&lt;look&gt;</failure>')
  })
})
