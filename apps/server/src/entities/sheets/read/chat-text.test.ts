import { expect, it } from 'vitest'
import { findChatSplitter } from './chat-text.ts'

const split = (text: string) => {
  const splitter = findChatSplitter(text)
  return splitter === null ? null : text.trim().split('\n').map(splitter)
}

it.each([
  ['、', '张小明、男、2026010901\n李红、女、2026010902'],
  ['blanks', '张小明 男  2026010901\n李红　女　2026010902'],
  ['different ones', '张小明，男，2026010901\n李红 女，2026010902。'],
  ['numbers before', '1. 张小明，男，2026010901\n2. 李红，女，2026010902'],
  ['numbers before and 、', '1、张小明、男、2026010901\n2、李红、女、2026010902'],
])('reads a list with %s', (_name, text) => {
  expect(split(text)).toEqual([
    ['张小明', '男', '2026010901'],
    ['李红', '女', '2026010902'],
  ])
})

it('reads one person, and a name with a number', () => {
  expect(split('张小明、男、2026010901、信息工程学院')).toEqual([
    ['张小明', '男', '2026010901', '信息工程学院'],
  ])
  expect(split('张小明 2026010901\n李红 2026010902')).toEqual([
    ['张小明', '2026010901'],
    ['李红', '2026010902'],
  ])
})

it('keeps an address with blanks whole where commas separate', () => {
  expect(split('1. 张小明，男，福建 福州\n2. 李红，女，北京 海淀')).toEqual([
    ['张小明', '男', '福建 福州'],
    ['李红', '女', '北京 海淀'],
  ])
})

it.each([
  ['commas', '学号,姓名\n1,张三\n2,李四'],
  ['commas, and a longer line', '学号,姓名\n1,张三\n2,李四\n3,王五\n4,赵六\n5,钱七\n6,孙八,,,远'],
  ['full-width commas', '张小明，男，2026010901\n李红，女，2026010902'],
  ['tabs', '学号\t姓名\n1\t张三 丰'],
  ['quotes', '姓名 备注\n"张三 丰" 无'],
  ['one column of names', '张三 丰\n李四 光\n王五'],
  ['one column of words', '优秀\n良好'],
  ['Latin words', 'John Smith 2026\nMary Jones 2027'],
])('leaves a file with %s to its own separator', (_name, text) => {
  expect(findChatSplitter(text)).toBeNull()
})
