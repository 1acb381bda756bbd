// Given names and surnames by culture. Data only; spelt with their own letters where those are Latin.

export interface Culture {
  readonly women: readonly string[];
  readonly men: readonly string[];
  readonly surnames: readonly string[];
}

const culture = (women: string, men: string, surnames: string): Culture => ({
  women: women.split(","),
  men: men.split(","),
  surnames: surnames.split(","),
});

export const cultures = {
  english: culture(
    "Charlotte,Emily,Grace,Hannah,Olivia,Sophie,Megan,Rachel,Laura,Abigail,Claire,Rebecca,Natalie,Victoria,Heather,Amber,Paige,Holly,Georgia,Lucy",
    "James,Oliver,Thomas,Daniel,Matthew,Benjamin,Samuel,Andrew,Christopher,Nathan,Ethan,Ryan,Joshua,Adam,Luke,Edward,Simon,Peter,Gareth,Callum",
    "Ashford,Bennett,Carter,Dawson,Ellis,Fletcher,Graham,Harding,Ingram,Jennings,Kirby,Lawson,Marsh,Norton,Osborne,Parker,Quinn,Reeves,Sinclair,Thornton,Underwood,Vaughan,Whitaker,Yates,Barlow,Chambers,Dunn,Everett,Foster,Goodwin,Hale,Lambert,Mercer,Pritchard,Rowe,Stanton",
  ),
  irish: culture(
    "Aoife,Ciara,Niamh,Saoirse,Róisín,Sinéad,Orla,Gráinne,Caoimhe,Deirdre,Eimear,Fionnuala",
    "Cillian,Conor,Declan,Eoin,Fionn,Liam,Niall,Oisín,Pádraig,Ronan,Seán,Tadhg",
    "O’Brien,O’Sullivan,Byrne,Doyle,Gallagher,Kavanagh,Brennan,Fitzgerald,Nolan,Quinn,McCarthy,Ó Súilleabháin,Ní Dhomhnaill,Healy,Keane,Moran",
  ),
  german: culture(
    "Anna,Lena,Katharina,Sabine,Julia,Stefanie,Monika,Franziska,Heike,Ursula,Jana,Käthe,Annegret,Birgit,Theresa,Miriam,Silke,Greta",
    "Lukas,Jürgen,Matthias,Stefan,Florian,Björn,Uwe,Tobias,Andreas,Klaus,Sören,Maximilian,Dieter,Jörg,Niklas,Holger,Rainer,Günther",
    "Müller,Schröder,Köhler,Weiß,Jäger,Krüger,Böhm,Schäfer,Vogel,Hoffmann,Lindner,Brandt,Seidel,Hartmann,Großmann,Kühn,Möller,Winkler,Busch,Reuter,Ziegler,Pohl,Fröhlich,Engel,Wagner,Stein,Lehmann,Keller,Zimmermann,Baumgartner",
  ),
  french: culture(
    "Amélie,Chloé,Élodie,Camille,Hélène,Margaux,Inès,Léa,Océane,Noémie,Aurélie,Sylvie,Brigitte,Maëlle,Zoé,Françoise,Céline,Anaïs",
    "Jérôme,Rémi,François,Théo,Benoît,Étienne,Loïc,Antoine,Gaël,Mathieu,Stéphane,Cédric,Hugo,Raphaël,Thibault,Sébastien,Guillaume,Noël",
    "Lefèvre,Dubois,Moreau,Girard,Bélanger,Rousseau,Chevalier,Fontaine,Gauthier,Perrin,Renaud,Lemoine,Barbier,Guérin,Mercier,Besson,Faure,Collet,Garnier,Hébert,Marchand,Poirier,Delacroix,Tremblay,Côté,Gagnon,Bouchard,Pelletier,Desrosiers,Lévesque",
  ),
  spanish: culture(
    "Sofía,Lucía,María José,Carmen,Ángela,Beatriz,Inés,Rocío,Paloma,Verónica,Ximena,Daniela,Guadalupe,Marisol,Concepción,Noelia,Elena,Itzel",
    "Álvaro,José Luis,Íñigo,Andrés,Sebastián,Joaquín,Raúl,Óscar,Ramón,Emilio,Javier,Adrián,Gonzalo,Rubén,Hernán,Mateo,Tomás,Víctor",
    "García Ruiz,Núñez,Muñoz,Fernández,Ibáñez,Domínguez,Peña,Velázquez,Gutiérrez,Ordóñez,Castaño,Herrera,Rosales,Cárdenas,Márquez,Salinas,Villaseñor,Quiroga,Figueroa,Solís,Montoya,Aguilar,Bermúdez,Cisneros,Escobar,Zúñiga,Lozano,Roldán,Treviño,Acosta",
  ),
  italian: culture(
    "Giulia,Chiara,Francesca,Alessia,Martina,Elisa,Federica,Ilaria,Valentina,Paola,Serena,Ludovica,Caterina,Bianca",
    "Lorenzo,Matteo,Alessandro,Davide,Niccolò,Riccardo,Simone,Gianluca,Emanuele,Fabio,Stefano,Umberto,Vincenzo,Andrea",
    "Rinaldi,Ferraro,Moretti,Gallo,Conti,Marchetti,Bianchi,Pellegrini,Barbieri,Sartori,Colombo,De Santis,D’Angelo,Lo Presti,Caruso,Bellini,Fontana,Grassi,Vitale,Monti,Nicolò,Zanetti",
  ),
  swedish: culture(
    "Åsa,Elin,Astrid,Frida,Ingrid,Karin,Linnéa,Maja,Sara,Ulrika,Ylva,Ebba,Britt-Marie,Malin",
    "Anders,Björn,Erik,Gustaf,Håkan,Johan,Lars,Magnus,Nils,Olof,Per-Erik,Viktor,Örjan,Mattias",
    "Åkesson,Björklund,Dahlström,Engström,Forsberg,Gustafsson,Hedlund,Isaksson,Lindqvist,Nyström,Öberg,Sjöberg,Söderholm,Wikström,Lundgren,Holmgren,Ekström,Bergqvist,Sandström,Ängström",
  ),
  polish: culture(
    "Agnieszka,Bożena,Elżbieta,Grażyna,Joanna,Katarzyna,Małgorzata,Paulina,Żaneta,Zofia,Weronika,Kinga,Danuta,Łucja",
    "Bartłomiej,Grzegorz,Jakub,Łukasz,Michał,Paweł,Piotr,Rafał,Sławomir,Stanisław,Tomasz,Wojciech,Zbigniew,Krzysztof",
    "Nowak,Wójcik,Mazur,Krawczyk,Wróbel,Zając,Król,Wieczorek,Stępień,Jabłoń,Pająk,Gajda,Szczepaniak,Woźniak,Dudek,Sikora,Bąk,Kaźmierczak,Górka,Świątek,Żak,Kołodziej",
  ),
  dutch: culture(
    "Anouk,Femke,Lotte,Sanne,Marieke,Eva,Fleur,Maaike,Roos,Tess,Willemijn,Noor",
    "Bram,Daan,Joost,Maarten,Niels,Pieter,Ruben,Sjoerd,Thijs,Wouter,Hendrik,Jeroen",
    "de Vries,van den Berg,Bakker,Visser,Smit,de Boer,Mulder,van Leeuwen,Dekker,Brouwer,Dijkstra,van der Meer,Kuipers,Hoekstra,Postma,Verhoeven,Schouten,ten Brink",
  ),
  turkish: culture(
    "Ayşe,Elif,Zeynep,Gülşah,Büşra,Çiğdem,Derya,Esra,Hülya,Özge,Şebnem,Tuğba",
    "Mehmet,Emre,Çağrı,Oğuz,Burak,Barış,Gökhan,İbrahim,Kerem,Özgür,Serkan,Ümit",
    "Yılmaz,Çelik,Şahin,Öztürk,Aydın,Özdemir,Arslan,Doğan,Kılıç,Güneş,Koç,Yıldırım,Erdoğdu,Çetin,Aksoy,Tekin",
  ),
  southAfrican: culture(
    "Naledi,Thandiwe,Nomvula,Lerato,Anneke,Zanele,Karabo,Liezel,Palesa,Ayanda",
    "Sipho,Thabo,Themba,Kagiso,Pieter,Johan,Mandla,Bongani,Riaan,Tshepo",
    "Dlamini,Nkosi,van der Merwe,Botha,Mokoena,Khumalo,Naidoo,Pretorius,Mahlangu,Zulu,Sithole,Venter,du Plessis,Ndlovu,Molefe,Govender",
  ),
  nigerian: culture(
    "Adaeze,Chiamaka,Ngozi,Folasade,Ifeoma,Amina,Yetunde,Zainab,Temitope,Ọmọlará",
    "Chukwuemeka,Oluwaseun,Emeka,Ibrahim,Tunde,Femi,Obinna,Musa,Kelechi,Ṣẹgun",
    "Okafor,Adeyemi,Eze,Balogun,Okonkwo,Abubakar,Nwosu,Adébáyò,Olawale,Chukwu,Ogunleye,Danjuma",
  ),
  arabic: culture(
    "Aisha,Fatima,Layla,Mariam,Noor,Salma,Yasmin,Rania,Huda,Dina",
    "Ahmed,Hassan,Karim,Omar,Tariq,Yusuf,Khalid,Samir,Faisal,Bilal",
    "al-Rashid,Haddad,Mansour,Nasser,el-Amrani,Saleh,Khoury,Farouk,Aziz,Hamdan,al-Mansoori,Bensaïd,Benali,Qureshi",
  ),
  indian: culture(
    "Priya,Ananya,Deepika,Kavya,Lakshmi,Meera,Nisha,Pooja,Radhika,Shreya,Sunita,Aditi,Ishita,Vidya",
    "Arjun,Rahul,Vikram,Aditya,Karthik,Manish,Nikhil,Rajesh,Sandeep,Suresh,Vivek,Harish,Imran,Gurpreet",
    "Sharma,Iyer,Nair,Patel,Reddy,Kulkarni,Mukherjee,Banerjee,Chopra,Desai,Gupta,Joshi,Krishnan,Menon,Rao,Singh,Verma,Deshpande,Bhattacharya,Subramanian,Kaur,Pillai",
  ),
  japanese: culture(
    "Yuki,Sakura,Haruka,Aiko,Emi,Keiko,Megumi,Naomi,Reiko,Tomoko,Mayumi,Shiori",
    "Hiroshi,Kenji,Takeshi,Daichi,Ryōta,Shōta,Kazuki,Makoto,Naoki,Yūto,Satoshi,Tetsuya",
    "Satō,Suzuki,Takahashi,Tanaka,Itō,Watanabe,Kobayashi,Katō,Yoshida,Yamamoto,Inoue,Kimura,Shimizu,Ōno,Endō,Matsumoto,Hayashi,Sakamoto,Fujita,Nakagawa",
  ),
  chinese: culture(
    "Mei,Xiu Ying,Li Na,Jia Yi,Hui Min,Xin Yi,Wei Ling,Yan Ting,Siew Lan,Qing",
    "Wei,Jian,Ming,Hao Ran,Zhi Wei,Jun Jie,Kai Xiang,Bo Wen,Yong Sheng,Lei",
    "Chen,Lin,Tan,Lim,Wong,Zhang,Huang,Ng,Goh,Liu,Zhao,Ong,Koh,Xu,Teo,Lü",
  ),
  malay: culture(
    "Nurul,Siti,Aisyah,Farah,Hidayah,Izzah,Rosnah,Zulaikha",
    "Ahmad,Faizal,Hafiz,Ismail,Rizal,Syafiq,Zainal,Azman",
    "binti Rahman,Abdullah,Ibrahim,Hashim,Yusof,Othman,Salleh,Jaafar,Kassim,Idris",
  ),
  korean: culture(
    "Ji-woo,Seo-yeon,Min-ji,Ha-eun,Soo-jin,Eun-ji,Yu-na,Hye-jin",
    "Min-jun,Ji-hoon,Seung-ho,Dong-hyun,Sang-woo,Hyun-woo,Joon-young,Tae-yang",
    "Kim,Lee,Park,Choi,Jung,Kang,Yoon,Jang,Lim,Han,Oh,Seo",
  ),
  vietnamese: culture(
    "Thị Hương,Ngọc Anh,Thu Hà,Mỹ Linh,Bích Ngọc,Khánh Vy,Thanh Trúc,Phương Thảo",
    "Văn Dũng,Quốc Huy,Đức Minh,Thành Đạt,Hữu Phước,Anh Tuấn,Gia Bảo,Xuân Trường",
    "Nguyễn,Trần,Lê,Phạm,Hoàng,Huỳnh,Võ,Đặng,Bùi,Đỗ,Ngô,Dương",
  ),
  brazilian: culture(
    "Ana Paula,Beatriz,Camila,Letícia,Mariana,Patrícia,Júlia,Conceição,Débora,Luíza,Renata,Thaís",
    "João Pedro,Luís,Antônio,Caio,Flávio,Márcio,Vinícius,Rogério,Thiago,Otávio,César,Murilo",
    "Gonçalves,da Silva,Araújo,Conceição,Guimarães,Magalhães,Nascimento,dos Santos,Ribeiro,Teixeira,Assunção,Brandão,Cavalcanti,Falcão,Moura,Barcellos",
  ),
} satisfies Record<string, Culture>;

export type CultureName = keyof typeof cultures;
