/** Hanyu Pinyin of the characters in demo names. */
const syllables =
  '王wang李li张zhang刘liu陈chen杨yang黄huang赵zhao吴wu周zhou徐xu孙sun马ma朱zhu胡hu郭guo何he林lin高gao罗luo郑zheng梁liang谢xie宋song唐tang许xu韩han冯feng邓deng曹cao彭peng曾zeng肖xiao田tian董dong潘pan袁yuan蔡cai蒋jiang余yu于yu杜du叶ye程cheng魏wei苏su吕lyu丁ding任ren卢lu姚yao沈shen钟zhong姜jiang崔cui谭tan陆lu范fan汪wang廖liao石shi金jin韦wei贾jia夏xia付fu方fang邹zou熊xiong白bai孟meng秦qin邱qiu侯hou江jiang尹yin薛xue闫yan段duan雷lei龙long黎li史shi陶tao贺he毛mao郝hao顾gu龚gong邵shao万wan覃qin武wu钱qian戴dai' +
  '伟wei强qiang磊lei军jun洋yang勇yong杰jie涛tao明ming超chao刚gang平ping辉hui鹏peng华hua飞fei鑫xin波bo斌bin宇yu浩hao凯kai健jian俊jun帆fan旭xu宁ning翔xiang晨chen峰feng泽ze瑞rui轩xuan博bo文wen昊hao天tian睿rui志zhi远yuan' +
  '芳fang娜na敏min静jing丽li艳yan娟juan霞xia秀xiu英ying玲ling婷ting雪xue颖ying琳lin慧hui莹ying洁jie梅mei萍ping红hong玉yu兰lan燕yan妍yan倩qian欣xin怡yi佳jia梦meng瑶yao琪qi悦yue涵han诗shi雨yu晴qing彤tong月yue子zi萱xuan若ruo'
const pinyin = new Map(
  [...syllables.matchAll(/(\p{Script=Han})([a-z]+)/gu)].map(([, character = '', syllable = '']) => [
    character,
    syllable,
  ]),
)

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
/** Surname first and given name in one word, as in a Chinese passport: 张雨涵 is Zhang Yuhan. */
export function latinName(name: string): string {
  const [surname = '', ...given] = [...name].map((character) => pinyin.get(character) ?? character)
  return `${capital(surname)} ${capital(given.join(''))}`
}

const words: Readonly<Record<string, string>> = {
  高等数学: 'Advanced Mathematics',
  线性代数: 'Linear Algebra',
  概率论: 'Probability Theory',
  大学物理: 'University Physics',
  大学英语: 'College English',
  程序设计: 'Programming',
  数据结构: 'Data Structures',
  操作系统: 'Operating Systems',
  计算机网络: 'Computer Networks',
  数据库原理: 'Principles of Databases',
  机械原理: 'Theory of Machines',
  工程制图: 'Engineering Drawing',
  热力学: 'Thermodynamics',
  统计学: 'Statistics',
  微观经济学: 'Microeconomics',
  会计学原理: 'Principles of Accounting',
  管理学: 'Management',
  法理学: 'Jurisprudence',
  民法: 'Civil Law',
  翻译理论: 'Translation Theory',
  文学概论: 'Introduction to Literature',
  体育: 'Physical Education',
  思想道德与法治: 'Ideology, Morality and the Rule of Law',
  写作: 'Writing',
  艺术鉴赏: 'Appreciation of Art',
}
const parts: Readonly<Record<string, string>> = {
  '': '',
  A: ' A',
  B: ' B',
  '（一）': ' I',
  '（二）': ' II',
  实验: ': Laboratory',
  导论: ': An Introduction',
  专题: ': Selected Topics',
  进阶: ': Advanced Course',
  案例: ': Case Studies',
  研讨: ': Seminar',
  综合设计: ': Comprehensive Design Project',
}
/** 高等数学（一） is Advanced Mathematics I. */
export function courseNameEn(word: string, part: string): string {
  return `${words[word] ?? word}${parts[part] ?? part}`
}
