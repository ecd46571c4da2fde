import { fold, remember } from '../bulk/fold.ts'

/** ISO 3166: two letters, then three, country by country; XK is Search Console's code for Kosovo. */
const codes =
  'AFAFG AXALA ALALB DZDZA ASASM ADAND AOAGO AIAIA AQATA AGATG ARARG AMARM AWABW AUAUS ATAUT AZAZE BSBHS BHBHR BDBGD BBBRB BYBLR BEBEL BZBLZ BJBEN BMBMU BTBTN BOBOL BQBES BABIH BWBWA BVBVT BRBRA IOIOT BNBRN BGBGR BFBFA BIBDI CVCPV KHKHM CMCMR CACAN KYCYM CFCAF TDTCD CLCHL CNCHN CXCXR CCCCK COCOL KMCOM CGCOG CDCOD CKCOK CRCRI CICIV HRHRV CUCUB CWCUW CYCYP CZCZE DKDNK DJDJI DMDMA DODOM ECECU EGEGY SVSLV GQGNQ ERERI EEEST SZSWZ ETETH FKFLK FOFRO FJFJI FIFIN FRFRA GFGUF PFPYF TFATF GAGAB GMGMB GEGEO DEDEU GHGHA GIGIB GRGRC GLGRL GDGRD GPGLP GUGUM GTGTM GGGGY GNGIN GWGNB GYGUY HTHTI HMHMD VAVAT HNHND HKHKG HUHUN ISISL ININD IDIDN IRIRN IQIRQ IEIRL IMIMN ILISR ITITA JMJAM JPJPN JEJEY JOJOR KZKAZ KEKEN KIKIR KPPRK KRKOR KWKWT KGKGZ LALAO LVLVA LBLBN LSLSO LRLBR LYLBY LILIE LTLTU LULUX MOMAC MGMDG MWMWI MYMYS MVMDV MLMLI MTMLT MHMHL MQMTQ MRMRT MUMUS YTMYT MXMEX FMFSM MDMDA MCMCO MNMNG MEMNE MSMSR MAMAR MZMOZ MMMMR NANAM NRNRU NPNPL NLNLD NCNCL NZNZL NINIC NENER NGNGA NUNIU NFNFK MKMKD MPMNP NONOR OMOMN PKPAK PWPLW PSPSE PAPAN PGPNG PYPRY PEPER PHPHL PNPCN PLPOL PTPRT PRPRI QAQAT REREU ROROU RURUS RWRWA BLBLM SHSHN KNKNA LCLCA MFMAF PMSPM VCVCT WSWSM SMSMR STSTP SASAU SNSEN RSSRB SCSYC SLSLE SGSGP SXSXM SKSVK SISVN SBSLB SOSOM ZAZAF GSSGS SSSSD ESESP LKLKA SDSDN SRSUR SJSJM SESWE CHCHE SYSYR TWTWN TJTJK TZTZA THTHA TLTLS TGTGO TKTKL TOTON TTTTO TNTUN TRTUR TMTKM TCTCA TVTUV UGUGA UAUKR AEARE GBGBR USUSA UMUMI UYURY UZUZB VUVUT VEVEN VNVNM VGVGB VIVIR WFWLF EHESH YEYEM ZMZMB ZWZWE XKXKK'

/** Languages whose country names are understood; codes always are. */
const languages = 'en de fr es it pt nl sv da nb fi pl cs tr ru uk ja ko zh'.split(' ')

let known: Map<string, string> | undefined

function countries(): Map<string, string> {
  if (known) return known
  known = new Map([
    ['zzz', 'zzz'],
    ['unknownregion', 'zzz'],
    ['uk', 'gbr'],
    ['hongkong', 'hkg'],
    ['macau', 'mac'],
    ['turkey', 'tur'],
    ['czechrepublic', 'cze'],
  ])
  const names = languages.map((language) => new Intl.DisplayNames(language, { type: 'region' }))
  for (const pair of codes.split(' ')) {
    const [two, three] = [pair.slice(0, 2), pair.slice(2).toLowerCase()]
    for (const word of [two, three, ...names.map((name) => name.of(two) ?? '')]) if (word !== '') known.set(fold(word), three)
  }
  return known
}

/** A country as Search Console's API names it (ISO 3166 alpha-3, lowercase), from a code or a name. */
export const countryOf = remember((value: string): string | undefined => {
  const word = fold(value)
  // The API also sends codes that ISO has retired.
  return countries().get(word) ?? (/^[a-z]{3}$/.test(word) ? word : undefined)
})
