"""Countries, regions and big cities: enough to tell a place where capitals are missing or say nothing."""

from __future__ import annotations

from .words import names

COUNTRIES = names("""
    Afghanistan, Albania, Algeria, Andorra, Angola, Argentina, Armenia, Australia, Austria, Azerbaijan,
    Bangladesh, Belarus, Belgium, Bolivia, Bosnia, Botswana, Brazil, Brasil, Bulgaria, Cambodia, Cameroon,
    Canada, Chile, China, Colombia, Costa Rica, Croatia, Cuba, Cyprus, Czech Republic, Czechia, Denmark,
    Deutschland, Dominican Republic, Ecuador, Egypt, El Salvador, England, España, Estonia, Ethiopia, Finland,
    France, Germany, Ghana, Greece, Guatemala, Haiti, Honduras, Hungary, Iceland, India, Indonesia, Iran,
    Iraq, Ireland, Israel, Italy, Ivory Coast, Jamaica, Japan, Kazakhstan, Kenya, Kosovo, Kuwait, Laos,
    Latvia, Lebanon, Libya, Lithuania, Luxembourg, Malaysia, Malta, Mexico, México, Moldova, Mongolia,
    Morocco, Mozambique, Myanmar, Namibia, Nepal, Netherlands, Holland, New Zealand, Nicaragua, Nigeria, North
    Macedonia, Northern Ireland, Norway, Österreich, Pakistan, Palestine, Panama, Paraguay, Peru, Philippines,
    Poland, Portugal, Puerto Rico, Qatar, Romania, Russia, Rwanda, Saudi Arabia, Schweiz, Scotland, Senegal,
    Serbia, Slovakia, Slovenia, Somalia, South Africa, South Korea, Korea, Spain, Sri Lanka, Sudan, Sweden,
    Switzerland, Syria, Taiwan, Tanzania, Thailand, Tunisia, Turkey, Uganda, Ukraine, United Arab Emirates,
    UAE, United Kingdom, UK, United States, USA, US, Uruguay, Uzbekistan, Venezuela, Vietnam, Wales, Yemen,
    Zambia, Zimbabwe, Europe, Asia, Africa, Hawaii, Bali, Crete, Sicily, Tuscany, Bavaria, Andalusia,
    Catalonia, Provence, Brittany, Normandy, Scandinavia, Patagonia, Tasmania
""")
STATES = names("""
    Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida, Idaho, Illinois,
    Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan, Minnesota,
    Mississippi, Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, New York, North
    Carolina, North Dakota, Ohio, Oklahoma, Oregon, Pennsylvania, Rhode Island, South Carolina, South Dakota,
    Tennessee, Texas, Utah, Vermont, Virginia, Washington, West Virginia, Wisconsin, Wyoming, Ontario, Quebec,
    British Columbia, Alberta, Queensland, New South Wales
""")
CITIES = names("""
    Aalborg, Aarhus, Bari, Brno, Cádiz, Catania, Coimbra, Donostia, Galway, Gdańsk, Groningen, Innsbruck, Kiel,
    Ljubljana, Lund, Malmö, Metz, Ostrava, Padua, Palermo, Poznań, Tallinn, Tampere, Tartu, Trieste, Turin, Uppsala,
    Utrecht, Valparaíso, Verona, Zagreb,
    Aachen, Abu Dhabi, Adelaide, Amsterdam, Ankara, Antwerp, Athens, Atlanta, Auckland, Austin, Baltimore,
    Bangalore, Bangkok, Barcelona, Basel, Beijing, Beirut, Belfast, Belgrade, Belo Horizonte, Bergen,
    Berkeley, Berlin, Bern, Bilbao, Birmingham, Bogotá, Bologna, Bonn, Bordeaux, Boston, Boulder, Brasília,
    Bratislava, Bremen, Brighton, Brisbane, Bristol, Brooklyn, Brussels, Bucharest, Budapest, Buenos Aires,
    Cairo, Calgary, Cambridge, Cape Town, Caracas, Cardiff, Charlotte, Chennai, Chicago, Christchurch,
    Cincinnati, Cleveland, Cologne, Copenhagen, Cork, Curitiba, Dallas, Delhi, Denver, Detroit, Doha,
    Dortmund, Dresden, Dubai, Dublin, Düsseldorf, Edinburgh, Eindhoven, Essen, Florence, Fortaleza, Frankfurt,
    Geneva, Genoa, Ghent, Glasgow, Gothenburg, Granada, Graz, Guadalajara, Hamburg, Hanoi, Hannover, Havana,
    Heidelberg, Helsinki, Hong Kong, Honolulu, Houston, Hyderabad, Innsbruck, Istanbul, Jakarta, Jerusalem,
    Johannesburg, Karachi, Karlsruhe, Kiel, Köln, Kraków, Krakow, Kuala Lumpur, Kyiv, Kyoto, Lagos, Las Vegas,
    Leeds, Leipzig, Lima, Lisbon, Lisboa, Liverpool, Ljubljana, London, Los Angeles, LA, Lyon, Madrid, Málaga,
    Malmö, Manchester, Manila, Marseille, Medellín, Melbourne, Mexico City, Miami, Milan, Minneapolis,
    Montevideo, Montreal, Moscow, Mumbai, München, Munich, Münster, Nairobi, Nantes, Naples, Nashville, New
    Delhi, New Orleans, New York City, NYC, Nice, Nuremberg, Oakland, Osaka, Oslo, Ottawa, Oxford, Palermo,
    Palo Alto, Paris, Perth, Philadelphia, Phoenix, Pittsburgh, Porto, Porto Alegre, Portland, Prague, Pune,
    Quito, Recife, Reykjavik, Riga, Rio de Janeiro, Rio, Rome, Rotterdam, Sacramento, Salvador, Salzburg, San
    Antonio, San Diego, San Francisco, SF, San Jose, San José, Santiago, São Paulo, Sao Paulo, Sarajevo,
    Seattle, Seoul, Seville, Sevilla, Shanghai, Sheffield, Shenzhen, Singapore, Sofia, St. Louis, Stockholm,
    Strasbourg, Stuttgart, Sydney, Taipei, Tallinn, Tampa, Tbilisi, Tehran, Tel Aviv, The Hague, Tokyo,
    Toronto, Toulouse, Trondheim, Tucson, Turin, Utrecht, Valencia, Vancouver, Venice, Vienna, Vilnius,
    Warsaw, Washington DC, Wellington, Wien, Yerevan, Zagreb, Zaragoza, Zürich, Zurich
""")
PLACES = COUNTRIES | STATES | CITIES
