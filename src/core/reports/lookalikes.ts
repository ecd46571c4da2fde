/** The first letters of three alphabets of symbols (white in circles, white in boxes, flags), which Unicode doesn't decompose. */
const alphabets = [0x1f150, 0x1f170, 0x1f1e6]
const seenAs = (letter: string): string => (letter === 'l' ? 'i' : letter)
const symbols = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter, at) =>
  alphabets.map((first) => [String.fromCodePoint(first + at), seenAs(letter)] as const),
)

/**
 * Letters and symbols that look like a Latin letter in most fonts, in lower case and decomposed: small capitals, letters with strokes and
 * hooks, letters in boxes and circles, and those of other alphabets that Unicode calls confusable with one (UTS 39; `l` and `1` count as
 * `i`, as digits count as letters).
 */
export const lookalikes: Readonly<Record<string, string>> = Object.fromEntries([
  ...symbols,
  ...[
    ['a', 'аαɑ@4ᴀᔯꮞ𑣏ᔰꭺᗅꓮ𖽀𐊠ⱥᶏ'],
    ['b', 'вьƅ8ʙɓ৪੪𞣋ȣ𐌚ꮟᖯꞵβᏼᗷꓐ𐊂𐊡𐌁ƃбƀҍѣᵬᶀꞗ'],
    ['c', 'сϲᴄςⲥꮯ𐐽𑣲𑣩ꓚ𐊢𐌂𐔜ȼҫƈɕꞓꞔ𝼝'],
    ['d', 'ᴅᑺɗԁꮷᑯꓒꭰᗞᗪꓓɖƌđðᑻᒇȡᵭᶁᶑꝺꟈ'],
    ['e', 'еєε3ᴇɜȝʒꝫⳍзӡ𖼻𑣊ҙꬲҽⴹꭼꓰ𑣎𐊆ɇҿɛᶒᶓⱸꬴ'],
    ['f', 'ꜰꬵꞙẝքϝᖴꓝ𑣂𐊇𐊥𐔥ƒᵮᶂꝼ'],
    ['g', 'ɡ9ɢ੧୨৭൭ꝯⳋ𑣌𑣖ᶃƍցԍꮐᏻꓖɠǥʛᵹꞡꬶ'],
    ['h', 'нһʜհꮒⲏꮋᕼꓧ𐋏ɦꚕᏺⱨңħћӊӈⱶꞕ'],
    ['i', 'іıιl1|!ӏɪʟᒶɩꙇꭵ𑣃ɨᵻᵼ١۱𐌠𞣇ǀⲓוןاߊⵏᛁꓲ𖼨𐊊𐌉ⳑꮮᒪꓡ𖼖𑣒𐑃𐔦łɭƚɫٳᒷױᶖ𝼚ȴɬᴌᶅⱡꝉꞎꬷꬸꬹ𝼄𝼑𝼓'],
    ['j', 'ᴊᒘϳјʝꭻᒍꓙɉᒙȷɟʄ'],
    ['k', 'кκᴋⲕꮶᛕꓗ𐔘ƙⱪқꝁҟĸᶄꝃꝅꞣ'],
    ['m', 'мᴍμϻⲙꮇᗰᛖꓟ𐊰𐌑ӎɱᵯᶆꬺ'],
    ['n', 'пηɴոռⲛꓠ𐔓ɳƞɲᵰȵᶇꞑꞥꬻ'],
    ['o', 'оοσ0ᴏ०੦૦௦౦೦൦๐໐၀٥۵ᴑꬽⲟჿօסهھہەഠဝ𐓪𑣈𑣗𐐬߀০୦〇𑓐𑣠ⵔዐଠꓳ𑣕𐊒𐊫𐔖ۿøꬾⵁɵꝋөѳꮎꮻθⴱꭴတɔᴓᶗⱺꝍꬿ𝼛'],
    ['p', 'рρᴘᑶƥⲣꮲᑭꓑ𐊕ᵽᑷᒆᵱᶈꝑꝓꝕ'],
    ['q', 'ꞯԛգզⵕʠɋꝗꝙ'],
    ['r', 'гʀꭇꭈᴦⲅꮁꭱꮢ𐓜ᖇꓣ𖼵ɽɼɍғᵲґɾᵳᶉꞃꞧꭆꭉꭋꭌ𝼖'],
    ['s', 'ѕ5$ꜱƽ𑣛ꮪ𑣁𐑈տꮥꓢ𖼺𐊖ʂᵴȿᶊẜꞅꞩꟊ𝼞'],
    ['t', 'тτ7ᴛƭ𐓺𑣆ⲧꭲꓔ𖼊𑣜𐊗𐊱𐌕ⱦʈҭŧᵵƫȶꞇ𝼉'],
    ['u', 'υսᴜᑗꞟꭎꭒʋ𐓶𑣘ሀᑌꓴ𖽂ᵾꮜʉᑘᑧᴝᶙꞹ'],
    ['v', 'νᴠᐺѵט𑜆ꮩ𑣀٧۷ⴸᐯꛟꓦ𖼈𐔝ᐻⱱⱴꝟ'],
    ['w', 'ᴡɯѡԝա𑜊𑜎𑜏ꮃ𑣯𑣦ꮤꓪѽ𑓅ꝡⱳ'],
    ['x', 'хχᕁᕽ𐌢𑣬ꭓⲭⵝᚷꓫ𐊐𐊴𐌗𐔧ҳᶍꭖꭗꭘꭙ'],
    ['y', 'уγʏƴɣᶌỿꭚүყⲩꭹꮍꓬ𖽃𑣄𐊲ɏұ'],
    ['z', 'ᴢꮓ𐋵𑣥ζꓜ𑣉ʐƶȥᵶɀʑᶎⱬ'],
  ].flatMap(([letter = '', others = '']) => [...others].map((other) => [other, letter] as const)),
])
