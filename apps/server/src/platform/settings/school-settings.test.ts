import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { schoolSettings, settingFault } from './school-settings.ts'

it.each([
  ['STAFF_IDLE_MINUTES', '10', null],
  ['STAFF_IDLE_MINUTES', ' 480 ', null],
  ['STAFF_IDLE_MINUTES', '9', { key: 'rule.min', params: { bound: 10 } }],
  ['STAFF_IDLE_MINUTES', '481', { key: 'rule.max', params: { bound: 480 } }],
  ['STAFF_IDLE_MINUTES', '10.5', { key: 'rule.digits' }],
  ['STAFF_IDLE_MINUTES', '-20', { key: 'rule.digits' }],
  ['STAFF_IDLE_MINUTES', '1e2', { key: 'rule.digits' }],
  ['STAFF_IDLE_MINUTES', '', null],
  ['STAFF_IDLE_MINUTES', null, null],
  ['SCHOOL_SITE', 'https://www.example.edu.cn/a?b=c', null],
  ['SCHOOL_SITE', '/news', null],
  ['SCHOOL_SITE', 'JavaScript:alert(1)', { key: 'rule.address' }],
  ['SCHOOL_SITE', 'java\tscript:alert(1)', { key: 'rule.address' }],
  ['SCHOOL_SITE', 'data:text/html,x', { key: 'rule.address' }],
  ['SCHOOL_SITE', '//elsewhere.example', { key: 'rule.address' }],
  ['SCHOOL_SITE', '/\\elsewhere.example', { key: 'rule.address' }],
  ['SCHOOL_NAME', 'javascript:', null],
  ['OF_THE_SCHOOL', 'javascript:', null],
  ['toString', 'x', null],
])('%s = %s: %o', (code, value, fault) => {
  expect(settingFault(code, value)).toEqual(fault)
})

it('describes every setting in both languages, in what a dictionary item holds', () => {
  for (const { name, description } of schoolSettings) {
    expect(name.length).toBeGreaterThan(1)
    const [zh, en] = description
    expect(zh.length).toBeLessThanOrEqual(100)
    expect(en.length).toBeLessThanOrEqual(200)
    expect(zh).toMatch(/\p{Script=Han}/u)
    expect(en).not.toMatch(/\p{Script=Han}/u)
  }
})

it('stands in the contract with the same bounds and default', () => {
  const page = join(import.meta.dirname, '../../../../../docs/rules/contract.md')
  const [, section = ''] = readFileSync(page, 'utf8').split('## Settings of a school')
  for (const { code, description } of schoolSettings) {
    const named = code.replace(/_EN$/, '')
    const line = section.split('\n').find((each) => each.includes(`\`${named}\``)) ?? ''
    const [, least, most, fallback] =
      /\((\d+) to (\d+) .*default (\d+)\)/.exec(description[1]) ?? []
    if (least === undefined) expect(line).toContain('|')
    else expect(line).toContain(`| ${least} to ${most} | ${fallback}`)
  }
})
