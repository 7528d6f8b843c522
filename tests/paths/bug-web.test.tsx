// @vitest-environment happy-dom
import { Alert } from '@blueprintjs/core'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Ask } from '../../apps/web/src/ui/overlays/ask.tsx'
import { coverTransitions } from '@jiaowu/path-tests'
import { explore, runPaths } from '../machines/spec.ts'
import { webScreens } from '../surfaces/web/screens.ts'

// A plausible bug: the red button of the question does what the other button does.
vi.mock(import('../../apps/web/src/ui/overlays/ask.tsx'), () => ({
  Ask: (({ isOpen, text, onAnswer }) => (
    <Alert
      isOpen={isOpen}
      intent="danger"
      className="jw-alert"
      confirmButtonText="删除"
      cancelButtonText="取消"
      onConfirm={() => onAnswer(false)}
      onCancel={() => onAnswer(false)}
    >
      <p>{text}</p>
    </Alert>
  )) satisfies typeof Ask,
}))

// The tests that follow share the modules of this worker: they must not get the bug.
afterAll(() => {
  vi.doUnmock(import('../../apps/web/src/ui/overlays/ask.tsx'))
  vi.resetModules()
})

describe('a console whose confirmation of a deletion does nothing', () => {
  test('is noticed, with a reproducible recipe and the HTML of the page', async () => {
    const part = (await webScreens.entityList?.())?.single
    if (part === undefined) throw new Error('the list of one choice is gone')
    const graph = explore(part.spec)
    const [path] = coverTransitions(graph).paths.filter(({ steps }) =>
      steps.some(({ step }) => step.label === 'delete.confirm'),
    )
    const {
      failures: [recipe = ''],
      pictures: [picture],
    } = await runPaths(part.spec, graph, path === undefined ? [] : [path], () => part.drive())
    console.log(recipe)
    const lines = recipe.split('\n')
    expect(lines[0]).toMatch(
      /^entityList transitions-\w+(?: \(shortened\))? failed at step \d+ of \d+$/,
    )
    // First the steps, where they lead, and then the difference.
    expect(lines.find((line) => line.includes('loadConfig'))).toMatch(
      /^ {2}1\. ⇄ loadConfig → \w+ {2}⇒ {2}\{"list":/,
    )
    expect(lines.find((line) => line.startsWith('✗'))).toMatch(/^✗ \d+\. 👆 delete\.confirm$/)
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {4}effects: model \["call removeRows .*\], screen \[\]$/),
    )
    expect(lines.at(-1)).toMatch(
      /^reproduce: MBT_PATH='settle:loadConfig → .* \| user:delete\.confirm'$/,
    )
    expect(picture).toMatchObject({
      kind: 'html',
      data: expect.stringContaining('jw-table') as string,
    })
  }, 120_000)
})
